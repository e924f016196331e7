// Runs the whole library in the program for browsers, under node, as one run of a folder, and writes the results to
// stdout. usage: node library.mjs BUILD/web FOLDER [WORD...], with words to give to the program in place of these.
import {readFileSync, readdirSync, statSync, writeSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

// What Emscripten's code takes for granted in node, and a module does not have.
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = '/';

const [folder, library, ...words] = process.argv.slice(2);
const {run} = await import(pathToFileURL(resolve(folder, 'run.js')));
const module = await WebAssembly.compile(readFileSync(join(folder, 'ptxlitmus.wasm')));
const files = {};
for (const entry of readdirSync(library, {recursive: true}))
  if (statSync(join(library, entry)).isFile())
    files[join(library, entry)] = readFileSync(join(library, entry), 'utf8');
const result = await run(module, {args: words.length ? words : ['--format', 'json', library], files});
for (let text = Buffer.from(result.out), at = 0; at < text.length;)
  at += writeSync(1, text, at);
process.stderr.write(result.err);
if (result.fault)
  console.error(result.fault);
process.exitCode = result.status;
