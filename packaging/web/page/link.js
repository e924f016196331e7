// What a link holds: the test and the options, compressed, in the part after '#', which no server sees.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// Returns the state, an object of texts, as a fragment.
export async function toFragment(state) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// Returns the state that a fragment holds, or null where it holds none.
export async function fromFragment(fragment) {
  try {
    const text = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(new DecompressionStream('deflate-raw'), Uint8Array.from(text, (c) => c.charCodeAt(0)));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return state && Object.values(state).every((value) => typeof value === 'string') ? state : null;
  } catch {
    return null;
  }
}
