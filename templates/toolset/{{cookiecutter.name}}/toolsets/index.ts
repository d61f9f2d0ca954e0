/** A greeting in one of a few languages; a toolset is a class whose methods are its tools. */

const GREETINGS: Record<string, string> = {
  en: "Hello",
  de: "Guten Tag",
  fr: "Bonjour",
  es: "Hola",
};

export class GreetingTools {
  /** Return one line; an empty name is left out. Throws for a language that is not known. */
  greet(name: string, language = "en"): string {
    const word = GREETINGS[language];
    if (word === undefined) {
      throw new Error(`unknown language ${language}; known: ${this.languages().join(", ")}`);
    }
    const who = name.trim();
    return who === "" ? `${word}!` : `${word}, ${who}!`;
  }

  /** Return the codes of the languages that are known, in alphabetical order. */
  languages(): string[] {
    return Object.keys(GREETINGS).sort();
  }
}
