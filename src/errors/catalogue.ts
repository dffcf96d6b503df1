import { applicationErrors } from './catalogue/application-errors.ts';
import { askErrors } from './catalogue/ask-errors.ts';
import { builderErrors } from './catalogue/builder-errors.ts';
import { clientErrors } from './catalogue/client-errors.ts';
import { compileErrors } from './catalogue/compile-errors.ts';
import { containerErrors } from './catalogue/container-errors.ts';
import { contentErrors } from './catalogue/content-errors.ts';
import { contractErrors } from './catalogue/contract-errors.ts';
import { decoratorErrors } from './catalogue/decorator-errors.ts';
import { formatErrors } from './catalogue/format-errors.ts';
import { modelErrors } from './catalogue/model-errors.ts';
import { questionErrors } from './catalogue/question-errors.ts';
import { runtimeErrors } from './catalogue/runtime-errors.ts';
import { scanErrors } from './catalogue/scan-errors.ts';
import { serverErrors } from './catalogue/server-errors.ts';
import { shapeErrors } from './catalogue/shape-errors.ts';
import { strategyErrors } from './catalogue/strategy-errors.ts';
import { toolErrors } from './catalogue/tool-errors.ts';
import { versionErrors } from './catalogue/version-errors.ts';

/** Every start-up and developer error: code → what it means. `docs/errors.md` has a heading for each. */
export const catalogue = Object.freeze({
  ...decoratorErrors,
  ...shapeErrors,
  ...scanErrors,
  ...containerErrors,
  ...compileErrors,
  ...contractErrors,
  ...contentErrors,
  ...strategyErrors,
  ...builderErrors,
  ...modelErrors,
  ...runtimeErrors,
  ...serverErrors,
  ...clientErrors,
  ...askErrors,
  ...questionErrors,
  ...applicationErrors,
  ...versionErrors,
  ...toolErrors,
  ...formatErrors,
});

export type ErrorCode = keyof typeof catalogue;
