/**
 * Runs a bundle as workers do: without a process, a file system, network modules, or code made at run time, and with
 * three modules of Node; `Buffer` stays, because the fetch of Node needs it. It answers the requests that it is sent.
 * Started with `--disallow-code-generation-from-strings`; its argument is the bundle.
 */
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const host = globalThis.process;
const [, , entry] = host.argv;

// Node loads its own fetch with the help of what is taken away next
new Request('http://localhost');

register(new URL('./sandbox-modules.mjs', import.meta.url));
for (const name of ['process', 'global', 'setImmediate', 'clearImmediate', 'navigator']) {
  delete globalThis[name];
}

const { default: worker } = await import(pathToFileURL(entry).href);

host.on('message', async ({ id, url, ...init }) => {
  try {
    const response = await worker.fetch(new Request(url, init));
    const { status, headers } = response;
    host.send({ id, status, headers: [...headers], body: await response.text() });
  } catch (error) {
    host.send({ id, failure: String(error?.stack ?? error) });
  }
});
host.send({ id: 0 });
