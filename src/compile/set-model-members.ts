import type { IconOptions } from '../metadata/options.ts';
import type { BaseModel } from '../model/base-model.ts';
import { createIcon } from '../model/values.ts';
import { deepCopy } from '../shared/deep-freeze.ts';

/** The descriptive members that tools, prompts and resources share. */
interface DescribedSource {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** Sets the members that all kinds of models share. */
export function setModelMembers(model: BaseModel, source: DescribedSource): void {
  model.title = source.title;
  model.description = source.description;
  model.icons = source.icons?.map((icon) => createIcon(icon));
  model.meta = source.meta && new Map(Object.entries(deepCopy(source.meta)));
}
