import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { BaseModel } from '../model/base-model.ts';
import { createIcon, type Icon } from '../model/values.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import type { ReadonlyWire, WireGroup, WireIcon } from './wire.ts';

type BaseMember = 'name' | 'title' | 'description' | 'icons' | '_meta';

/** The members that every wire object has; those of its own kind stand between the two halves. */
type WireBase = Pick<WireGroup, BaseMember>;

/** A wire object in the order: name and texts, what its kind has, icons and `_meta`; without what is undefined. */
export function wireObject<TOwn extends object>(model: BaseModel, own: TOwn): TOwn & WireBase {
  const members = {
    name: model.name,
    title: model.title,
    description: model.description,
    ...own,
    icons: model.icons?.map((icon) => wireIcon(icon, model)),
    _meta: model.meta && deepCopy(Object.fromEntries(model.meta)),
  };
  return withoutUndefined(members);
}

/** Gives a model its own members, and what {@link wireObject} wrote for every kind. */
export function readModel<Model extends BaseModel>(
  model: Model,
  { title, description, _meta, icons }: ReadonlyWire<WireBase>,
  own: Partial<Model>,
): Model {
  return Object.assign(model, own, {
    title,
    description,
    meta: _meta && new Map(Object.entries(deepCopy(_meta))),
    icons: icons?.map((icon) => createIcon(icon)),
  });
}

/** The members of an object that are not undefined; its type must allow for their absence. */
export function withoutUndefined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** The value of a member that the wire form cannot do without. */
export function requireMember<T>(model: BaseModel, member: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ToolwrightError('TW_MODEL_INCOMPLETE', {
    where: model.toString(),
    what: `has no ${member}`,
    why: 'MCP requires it',
    fix: `set ${member} before the model is converted`,
  });
}

function wireIcon(icon: Icon, model: BaseModel): WireIcon {
  requireMember(model, 'icons[].src', icon.src);
  return withoutUndefined(createIcon(icon)) as WireIcon;
}
