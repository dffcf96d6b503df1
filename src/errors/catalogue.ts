import { applicationErrors } from './catalogue/application-errors.ts';
import { compileErrors } from './catalogue/compile-errors.ts';
import { containerErrors } from './catalogue/container-errors.ts';
import { decoratorErrors } from './catalogue/decorator-errors.ts';
import { runtimeErrors } from './catalogue/runtime-errors.ts';
import { scanErrors } from './catalogue/scan-errors.ts';
import { serverErrors } from './catalogue/server-errors.ts';

/** Every start-up and developer error: code → what it means. `docs/errors.md` has a heading for each. */
export const catalogue = Object.freeze({
  ...decoratorErrors,
  ...scanErrors,
  ...containerErrors,
  ...compileErrors,
  ...runtimeErrors,
  ...serverErrors,
  ...applicationErrors,
});

export type ErrorCode = keyof typeof catalogue;
