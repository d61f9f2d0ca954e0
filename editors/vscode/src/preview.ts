// The preview in a panel: the page that `skilltool preview --export` writes, made again when a skill is saved.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { runProgram } from "./program";

const panels = new Map<string, vscode.WebviewPanel>();

/** Show the preview of the folder around a file, or of the first folder, in a panel beside the editor. */
export async function showPreview(program: string, file: vscode.Uri | undefined): Promise<void> {
  const around = file && vscode.workspace.getWorkspaceFolder(file);
  const folder = around ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    void vscode.window.showInformationMessage("Open a folder with skills first.");
    return;
  }
  const key = folder.uri.toString();
  const known = panels.get(key);
  if (known) {
    known.reveal();
    return;
  }
  const panel = vscode.window.createWebviewPanel("skilltool.preview", "Skills", vscode.ViewColumn.Beside, {
    enableScripts: true, // those of the page itself, which its own policy names one by one
    localResourceRoots: [],
    retainContextWhenHidden: true,
  });
  panels.set(key, panel);
  const saved = vscode.workspace.onDidSaveTextDocument((document) => {
    if (vscode.workspace.getWorkspaceFolder(document.uri) === folder) void fill(panel, program, folder.uri.fsPath);
  });
  panel.onDidDispose(() => {
    saved.dispose();
    panels.delete(key);
  });
  panel.webview.html = page("Reading the skills ...");
  await fill(panel, program, folder.uri.fsPath);
}

async function fill(panel: vscode.WebviewPanel, program: string, folder: string): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "skilltool-"));
  try {
    const file = path.join(directory, "preview.html");
    const problem = await runProgram(program, ["preview", "--export", file, "--quiet"], folder);
    const html = await readFile(file, "utf8").catch(() => "");
    panel.webview.html = html ? framed(html) : page(problem || "There are no skills in this folder.");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Return a page with nothing but another one in it, whose links VS Code would take for links to its own page. */
function framed(html: string): string {
  const style = "<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh }</style>";
  const based = html.replace("<head>", '<head><base href="about:srcdoc">'); // else links lead to VS Code's own page
  const inner = based.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><html><head><meta charset="utf-8">${style}</head><body><iframe srcdoc="${inner}"></iframe></body></html>`;
}

function page(text: string): string {
  const escaped = text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
  return `<!doctype html><html><head><meta charset="utf-8">${policy}</head><body><pre>${escaped}</pre></body></html>`;
}
