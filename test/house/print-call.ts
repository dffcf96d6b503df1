import { countCall, type CallCount } from './count-call.ts';

/** The files that one call passes: how many on each route, and how many on all of them. */
export async function printCall(show: { readonly files: boolean; readonly json: boolean }): Promise<void> {
  const counts = await countCall();
  if (show.json) {
    console.log(JSON.stringify(Object.fromEntries(counts.map(({ route, files }) => [route, files]))));
    return;
  }
  const everywhere = inAll(counts);
  for (const { route, files } of counts) {
    const own = files.filter((file) => !everywhere.includes(file));
    const { length } = files.filter((file) => file.startsWith('features/'));
    console.log(
      `${route.padEnd(14)} ${String(files.length).padStart(3)} files, ${String(length)} of features, ${String(own.length)} not in all routes`,
    );
    if (show.files) for (const file of own) console.log(`    ${file}`);
  }
  console.log(`${'all routes'.padEnd(14)} ${String(everywhere.length).padStart(3)} files`);
  if (show.files) for (const file of everywhere) console.log(`    ${file}`);
}

function inAll([first, ...others]: readonly CallCount[]): readonly string[] {
  return first?.files.filter((file) => others.every(({ files }) => files.includes(file))) ?? [];
}
