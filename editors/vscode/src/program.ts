// Where is skilltool: in the setting, in the workspace's virtual environment, or on the PATH?
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

const run = promisify(execFile);
const NAME = process.platform === "win32" ? "skilltool.exe" : "skilltool";
const SCRIPTS = process.platform === "win32" ? "Scripts" : "bin";
const INSTALL = "pip install 'skilltool[server,preview]'";

/** A program that was found, or in one sentence why there is none. */
export type Found = { program: string } | { problem: string };

/** Return the program of a trusted workspace's setting or virtual environment, else the one on the PATH. */
export async function findProgram(): Promise<Found> {
  const given = vscode.workspace.getConfiguration("skilltool").get<string>("path", "").trim();
  if (vscode.workspace.isTrusted && given) {
    const program = resolved(given);
    const problem = `skilltool.path is ${given}, which is not a program`;
    return (await isProgram(program)) ? checked(program) : { problem };
  }
  for (const program of [...candidates(), ...onPath()]) {
    if (await isProgram(program)) return checked(program);
  }
  return { problem: "skilltool is not installed" };
}

/** Make sure that the language server can start, which is an extra of the package. */
async function checked(program: string): Promise<Found> {
  try {
    await run(program, ["server", "--help"], { timeout: 20_000 });
    return { program };
  } catch (error) {
    return { problem: `${program} does not start: ${error instanceof Error ? error.message : error}` };
  }
}

function resolved(given: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const text = given.replaceAll("${workspaceFolder}", folder).replace(/^~(?=\/)/, process.env.HOME ?? "~");
  return path.isAbsolute(text) || !folder ? text : path.join(folder, text);
}

function candidates(): string[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.flatMap((folder) => [".venv", "venv"].map((name) => path.join(folder.uri.fsPath, name, SCRIPTS, NAME)));
}

function onPath(): string[] {
  const directories = (process.env.PATH ?? "").split(path.delimiter);
  return directories.filter((directory) => path.isAbsolute(directory)).map((directory) => path.join(directory, NAME));
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Say that there is no program, with a button that shows how to install it. */
export async function offerInstallation(problem: string): Promise<void> {
  const install = "How to install";
  const setting = "Set path";
  const chosen = await vscode.window.showWarningMessage(`${problem}.`, install, setting);
  if (chosen === setting) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "skilltool.path");
  } else if (chosen === install) {
    const terminal = vscode.window.createTerminal("skilltool");
    terminal.show();
    terminal.sendText(INSTALL, false); // shown, and run by whoever presses Enter
  }
}

/** Run the program with a file as its output; returns what it says if it fails. */
export async function runProgram(program: string, args: string[], cwd: string): Promise<string> {
  try {
    await run(program, args, { cwd, timeout: 120_000, maxBuffer: 1 << 24 });
    return "";
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim();
    return said || (error instanceof Error ? error.message : String(error));
  }
}
