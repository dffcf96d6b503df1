import { McpApplication, type Class } from 'toolwright';

/** Prints the hash of what clients see, and the answer of one call that uses every kind of parameter. */
export async function printSurface(module: Class): Promise<void> {
  const app = await McpApplication.create(module, { name: 'toolchains' });
  const { content } = await app.call('books', { action: 'find', shelf: 'a', text: 'moon' });
  console.log(
    `surface ${app.surfaceHash.slice(0, 16)}, answer: ${content[0]?.type === 'text' ? content[0].text : 'no text'}`,
  );
  await app.close();
}
