// Starts the language server where a workspace has skills, and adds commands and a status item.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, TransportKind } from "vscode-languageclient/node";
import { showPreview } from "./preview";
import { findProgram, offerInstallation } from "./program";
import { type Client, MANUALS, Texts, ask, compareTexts, showText } from "./texts";

let client: LanguageClient | undefined;
let program = "";
const server = () => client;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("skilltool", { log: true });
  const status = vscode.window.createStatusBarItem("skilltool.client", vscode.StatusBarAlignment.Right, 90);
  status.name = "skilltool";
  status.command = "skilltool.showModelText";
  context.subscriptions.push(output, status);
  Texts.register(context, server);

  const restart = async (): Promise<void> => {
    await stop();
    await start(output);
    await showClient(status);
  };
  const command = (name: string, run: (...args: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  };
  command("skilltool.restart", restart);
  command("skilltool.showOutput", () => output.show());
  command("skilltool.preview", async (file?: vscode.Uri) => {
    if (!program) await restart();
    if (program) await showPreview(program, file ?? current());
  });
  command("skilltool.showModelText", async () => withSkill((skill) => showText(server, skill)));
  command("skilltool.compareClients", async () => withSkill((skill) => compareTexts(server, skill)));
  context.subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor(() => showClient(status)),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("skilltool.path")) void restart();
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => undefined);
}

async function start(output: vscode.LogOutputChannel): Promise<void> {
  const found = await findProgram();
  program = "program" in found ? found.program : "";
  if ("problem" in found) {
    output.warn(found.problem);
    void offerInstallation(found.problem);
    return;
  }
  const options: LanguageClientOptions = {
    documentSelector: ["markdown", "json", "jsonc", "shellscript", "python", "javascript", "typescript", "yaml", "plaintext"].map(
      (language) => ({ scheme: "file", language }),
    ),
    initializationOptions: { manuals: MANUALS, showsText: true },
    outputChannel: output,
    middleware: {
      // VS Code itself knows links, and lists headings.
      provideDocumentLinks: () => undefined,
      provideDefinition: (document, position, token, next) =>
        isInLink(document, position) ? undefined : next(document, position, token),
      provideCompletionItem: (document, position, context, token, next) =>
        isInLink(document, position) ? undefined : next(document, position, context, token),
      provideDocumentSymbols: async (document, token, next) => {
        const found = (await next(document, token)) ?? [];
        return (found as vscode.DocumentSymbol[]).filter((each) => each.kind !== vscode.SymbolKind.String);
      },
      // The server's commands return texts; here they open documents.
      executeCommand: async (name, args, next) => {
        const skill = typeof args[0] === "string" ? vscode.Uri.parse(args[0]) : undefined;
        if (name === "skilltool.render" && skill) return showText(server, skill, args[1] as string | undefined);
        if (name === "skilltool.compare" && skill) return compareTexts(server, skill);
        return next(name, args);
      },
    },
  };
  client = new LanguageClient(
    "skilltool",
    "skilltool",
    { command: program, args: ["server"], transport: TransportKind.stdio },
    options,
  );
  try {
    await client.start();
    output.info(`started ${program} server`);
  } catch (error) {
    output.error(`${program} server does not start: ${error}`);
    client = undefined;
  }
}

function isInLink(document: vscode.TextDocument, position: vscode.Position): boolean {
  const before = document.lineAt(position.line).text.slice(0, position.character);
  return document.languageId === "markdown" && /\]\([^()]*$/.test(before);
}

/** Show the client of the place in which the open skill lies. */
async function showClient(status: vscode.StatusBarItem): Promise<void> {
  const file = current();
  const clients = file && client ? await clientsOf(file) : [];
  if (clients.length === 0) {
    status.hide();
    return;
  }
  const [first] = clients;
  status.text = `$(book) ${first.id}`;
  status.tooltip = first.owns
    ? `${first.title} owns this directory. Select to see what its model sees.`
    : `No client owns this directory; shown as ${first.title} sees it. Select to see what a model sees.`;
  status.show();
}

async function clientsOf(file: vscode.Uri): Promise<Client[]> {
  if (!file.path.endsWith("/SKILL.md")) return [];
  return (await ask<Client[] | null>(server, "skilltool.clients", file.toString()).catch(() => [])) ?? [];
}

function current(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === "file" ? uri : undefined;
}

async function withSkill(run: (skill: vscode.Uri) => Promise<void>): Promise<void> {
  const file = current();
  if (file?.path.endsWith("/SKILL.md")) await run(file);
  else void vscode.window.showInformationMessage("Open a SKILL.md first.");
}
