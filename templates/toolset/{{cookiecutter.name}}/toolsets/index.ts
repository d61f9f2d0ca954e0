/** Greets people in several languages; the methods of a toolset class are its tools. */

const GREETINGS: Record<string, string> = {
  en: "Hello",
  de: "Guten Tag",
  fr: "Bonjour",
  es: "Hola",
};

export class GreetingTools {
  /** Return one line; leave out an empty name. Throws if the language is not supported. */
  greet(name: string, language = "en"): string {
    const word = GREETINGS[language];
    if (word === undefined) {
      throw new Error(`unsupported language ${language}; supported: ${this.languages().join(", ")}`);
    }
    const who = name.trim();
    return who === "" ? `${word}!` : `${word}, ${who}!`;
  }

  /** Return the codes of the supported languages, in alphabetical order. */
  languages(): string[] {
    return Object.keys(GREETINGS).sort();
  }
}
