// Read-only documents: what a client gives its model, and manuals of rules.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

export const MANUALS = "skilltool-manual";
const TEXTS = "skilltool-text";

/** What the server's command `skilltool.render` returns. */
interface Rendered {
  runtime: string;
  title: string;
  part: string;
  text: string | null;
  problem: string | null;
}

/** What the server's command `skilltool.clients` returns. */
export interface Client {
  id: string;
  title: string;
  owns: boolean;
}

type Server = () => LanguageClient | undefined;

/** Ask the server to run a command; undefined if there is no server. */
export async function ask<T>(server: Server, command: string, ...args: unknown[]): Promise<T | undefined> {
  return server()?.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
}

/** Gives the text of the documents; those of models are asked for again when the skill is edited. */
export class Texts implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  static register(context: vscode.ExtensionContext, server: Server): Texts {
    const texts = new Texts(server);
    for (const scheme of [MANUALS, TEXTS]) {
      context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(scheme, texts));
    }
    context.subscriptions.push(vscode.workspace.onDidChangeTextDocument((event) => texts.refresh(event.document.uri)));
    return texts;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.scheme === MANUALS) {
      const rule = uri.path.replace(/^\/rules\//, "").replace(/\.md$/, "");
      return (await ask<string>(this.server, "skilltool.manual", rule)) ?? `There is no rule ${rule}.`;
    }
    const [skill, runtime] = JSON.parse(uri.query) as [string, string];
    const found = await ask<Rendered | null>(this.server, "skilltool.render", skill, runtime);
    if (!found) return "skilltool gives no answer for this file.";
    return found.text ?? found.problem ?? "";
  }

  private refresh(skill: vscode.Uri): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === TEXTS && JSON.parse(document.uri.query)[0] === skill.toString()) {
        this.changed.fire(document.uri);
      }
    }
  }
}

function textUri(skill: vscode.Uri, runtime: string): vscode.Uri {
  const name = skill.path.split("/").at(-2) ?? "skill";
  const query = JSON.stringify([skill.toString(), runtime]);
  return vscode.Uri.from({ scheme: TEXTS, path: `/${name} (${runtime}).md`, query });
}

/** Let the user choose a client of the skill, that of the place first. */
export async function chooseClient(
  server: Server,
  skill: vscode.Uri,
  title: string,
  without = "",
): Promise<string | undefined> {
  const clients = (await ask<Client[] | null>(server, "skilltool.clients", skill.toString())) ?? [];
  const items = clients
    .filter((client) => client.id !== without)
    .map((client) => ({ label: client.id, description: client.title, detail: client.owns ? "owns this directory" : undefined }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.label;
}

/** Open what a client gives its model, beside the skill. */
export async function showText(server: Server, skill: vscode.Uri, runtime?: string): Promise<void> {
  const chosen = runtime ?? (await chooseClient(server, skill, "What the model sees for ..."));
  if (!chosen) return;
  const found = await ask<Rendered | null>(server, "skilltool.render", skill.toString(), chosen);
  const document = await vscode.workspace.openTextDocument(textUri(skill, chosen));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  if (found?.problem) void vscode.window.showInformationMessage(found.problem);
}

/** Compare what two clients give their models, in the editor's own view of differences. */
export async function compareTexts(server: Server, skill: vscode.Uri): Promise<void> {
  const first = await chooseClient(server, skill, "Compare this client ...");
  const second = first && (await chooseClient(server, skill, `... with ${first}`, first));
  if (!first || !second) return;
  await vscode.commands.executeCommand(
    "vscode.diff",
    textUri(skill, first),
    textUri(skill, second),
    `${first} and ${second}`,
  );
}
