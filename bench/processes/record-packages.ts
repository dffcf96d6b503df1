import { register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

// Loaded before a server that is not measured: says which files of other packages the built package loads.
const { port1, port2 } = new MessageChannel();
const packages = new Set<string>();
port1.on('message', (url: string) => packages.add(url));
port1.unref();
register('./package-hook.js', { parentURL: import.meta.url, data: port2, transferList: [port2] });

process.on('message', (question: unknown) => {
  if (question === 'packages') process.send?.({ packages: [...packages] });
});
