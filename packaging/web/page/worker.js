// Runs the program away from the page, one run per message: {id, args, files, wanted}. The page ends this worker to stop a run.
import {run} from './run.js';

const module = fetch('./ptxlitmus.wasm').then((answer) => {
  if (!answer.ok)
    throw new Error(`ptxlitmus.wasm cannot be loaded: ${answer.status}`);
  return answer.arrayBuffer();
}).then((bytes) => WebAssembly.compile(bytes));

self.onmessage = async ({data}) => {
  try {
    self.postMessage({id: data.id, ...await run(await module, data)});
  } catch (error) {
    self.postMessage({id: data.id, status: 4, out: '', err: '', files: {}, fault: String(error.message ?? error)});
  }
};
