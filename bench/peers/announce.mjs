/** Tells the process that measures where the server is. */
export function announce(port) {
  process.send?.({ url: `http://127.0.0.1:${port}/mcp` });
}
