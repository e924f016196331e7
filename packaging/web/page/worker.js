// Runs the program away from the page, one run per message: {id, module, args, files, wanted}, with the compiled
// WebAssembly module. The page ends this worker to stop a run.
import {run} from './run.js';

self.onmessage = async ({data}) => {
  try {
    self.postMessage({id: data.id, ...await run(data.module, data)});
  } catch (error) {
    self.postMessage({id: data.id, status: 4, out: '', err: '', files: {}, fault: String(error.message ?? error)});
  }
};
