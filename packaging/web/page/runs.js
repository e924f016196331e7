// Runs of the program in a worker: one at a time, each with a limit, and an end as soon as someone asks for it.

const GRACE_MS = 1000; // after a time limit that the program has not kept by itself
const compiled = fetch('./ptxlitmus.wasm').then((answer) => {
  if (!answer.ok)
    throw new Error(`ptxlitmus.wasm cannot be loaded (${answer.status})`);
  return answer.arrayBuffer();
}).then((bytes) => WebAssembly.compile(bytes));
compiled.catch(() => {}); // told by each run

let worker = null, current = null, count = 0;

function settle(result) {
  const {done, limit} = current;
  clearTimeout(limit);
  current = null;
  done(result);
}

// Ends the run that there is: its promise resolves to null.
export function stop() {
  if (!current)
    return;
  worker?.terminate();
  worker = null;
  settle(null);
}

function newWorker() {
  worker = new Worker('./worker.js', {type: 'module'});
  worker.onmessage = ({data}) => current?.id === data.id && settle(data);
  worker.onerror = (event) => {
    const fault = event.message || 'one of its files is not there';
    worker = null;
    if (current)
      settle({status: 4, out: '', err: '', files: {}, fault});
  };
}

// Runs the program, after it has ended the run that there is. Resolves to what run.js says, with isOverTime where the
// limit, in seconds, has not been kept; to null where stop() has been called.
export function start({seconds, ...message}) {
  stop();
  return new Promise((done) => {
    const id = ++count;
    current = {id, done, limit: 0};
    compiled.then((module) => {
      if (current?.id !== id)
        return;
      if (!worker)
        newWorker();
      current.limit = setTimeout(() => {
        worker.terminate();
        worker = null;
        settle({status: 3, out: '', err: '', files: {}, fault: null, isOverTime: true});
      }, 1000 * seconds + GRACE_MS);
      worker.postMessage({id, module, ...message});
    }, (error) => current?.id === id && settle({status: 4, out: '', err: '', files: {}, fault: error.message}));
  });
}
