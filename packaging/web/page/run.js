// Runs the program: each run gets an instance of its own, so that nothing of one is left for the next. For the worker
// of the page, and for node.
import create from './ptxlitmus.mjs';

const STATUS_INTERNAL = 4;

// Makes folders and writes the files, given as {path: text}.
function write(FS, files) {
  for (const [path, text] of Object.entries(files)) {
    const folders = path.split('/').slice(0, -1);
    folders.forEach((_, i) => {
      const folder = folders.slice(0, i + 1).join('/');
      if (folder && !FS.analyzePath(folder).exists)
        FS.mkdir(folder);
    });
    FS.writeFile(path, text);
  }
}

// A text of bytes that come one at a time.
function collector() {
  let bytes = new Uint8Array(4096), size = 0;
  return {
    put(byte) {
      if (byte === null)
        return;
      if (size === bytes.length) {
        const more = new Uint8Array(2 * size);
        more.set(bytes);
        bytes = more;
      }
      bytes[size++] = byte;
    },
    text: () => new TextDecoder().decode(bytes.subarray(0, size)),
  };
}

// The memory of the tab, or what a tab may have, has ended.
const isOutOfMemory = (error, err) =>
  error instanceof RangeError || /out of memory|OOM|enlarge memory|bad_alloc/i.test(`${error?.message} ${err}`);

// Runs the program of a compiled WebAssembly module with arguments and files ({path: text}), and reads the files named
// in `wanted`. Resolves to {status, out, err, files, isOutOfMemory}; does not fail for what the program does.
export async function run(module, {args, files = {}, wanted = []}) {
  const out = collector(), err = collector();
  let status = STATUS_INTERNAL, ended = false, FS = null;
  try {
    const program = await create({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
        return {};
      },
      preRun: [(made) => {
        made.FS.init(() => null, out.put, err.put);
        made.ENV && (made.ENV.LANG = 'C.UTF-8');
      }],
      print() {},
      printErr() {},
      quit(code, error) {
        throw error;
      },
    });
    FS = program.FS;
    write(FS, files);
    status = program.callMain(args) ?? 0;
  } catch (error) {
    if (error?.name === 'ExitStatus')
      status = error.status;
    else
      ended = isOutOfMemory(error, err.text()) || String(error?.message ?? error);
  }
  const read = {};
  for (const path of wanted)
    if (FS?.analyzePath(path).exists)
      read[path] = FS.readFile(path, {encoding: 'utf8'});
  const text = err.text();
  return {status, out: out.text(), err: text, files: read, fault: ended || null,
    isOutOfMemory: ended === true || (status === STATUS_INTERNAL && /out of memory/.test(text))};
}
