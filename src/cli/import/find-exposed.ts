import { hostApplications } from '../../index.ts';
import type { ExposeNestOptions, NestApplication } from '../../nest/index.ts';
import { isObject } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import { importFile, type LoadingTime } from '../target/load-file.ts';

/** An application of NestJS, and how it is exposed. */
export interface Exposed {
  readonly nest: NestApplication;
  readonly options: ExposeNestOptions;
}

/** The application that the file hands to `exposeNest()`, which goes no further; else the one that it exports. */
export async function findExposed(
  file: string,
  name: string | undefined,
  time: LoadingTime,
): Promise<Exposed> {
  let release: () => void = () => undefined;
  const handed = new Promise<Exposed>((resolve) => {
    release = hostApplications({
      created: () => undefined,
      listen: (_application, options, open) => open(options),
      stdio: (_application, options, open) => open(options),
      exposed: (nest, options) => {
        resolve({ nest: nest as NestApplication, options });
        return new Promise(() => undefined);
      },
    });
  });
  try {
    const exported = time.load(() => importFile(file)).then((exports) => exportIn(exports, name, time, file));
    return await Promise.race([handed, exported]);
  } finally {
    release();
  }
}

async function exportIn(
  exports: Readonly<Record<string, unknown>>,
  name: string | undefined,
  time: LoadingTime,
  file: string,
): Promise<Exposed> {
  const candidates = name === undefined ? [exports['default'], ...Object.values(exports)] : [exports[name]];
  for (const candidate of candidates) {
    const isFactory =
      typeof candidate === 'function' && candidate.length === 0 && candidate.prototype === undefined;
    const value: unknown = await time.within(
      Promise.resolve(isFactory ? (candidate as () => unknown)() : candidate),
    );
    if (isNest(value)) return { nest: value, options: {} };
  }
  // A `main()` that nobody awaits may come to exposeNest() later
  await time.within(new Promise(() => undefined));
  throw new CliError('TW_CLI_ENTRY_EMPTY', {
    where: file,
    what: 'gives no application of NestJS.',
    fix: 'call exposeNest(nest, options) in it, or export default NestFactory.create(AppModule)',
  });
}

function isNest(value: unknown): value is NestApplication {
  return (
    isObject(value) && typeof value['getHttpAdapter'] === 'function' && typeof value['init'] === 'function'
  );
}
