import { classChain } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { describeValue } from '../shared/describe-value.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { rolesOf } from './members/check-members.ts';
import { memberName, type MethodDraft } from './members/declared-members.ts';
import type { CallableScene } from './members/scan-callable.ts';
import type { MethodHandler } from './members/scanned-callable.ts';
import { scanParameters } from './parameters/scan-parameters.ts';

/** A template of resources or a family of prompts, as its class declares it. */
type ListDraft = MethodDraft & { readonly options: { readonly list?: string } };

/** The method that lists the resources of a template, or the prompts of a family. */
export function scanList(draft: ListDraft, scene: CallableScene): MethodHandler | undefined {
  const { controller, options, where } = draft;
  const member: unknown = options.list;
  if (member === undefined) return undefined;
  const methods = methodsOf(controller.type);
  const owner = typeof member === 'string' ? methods.get(member) : undefined;
  if (typeof member !== 'string' || owner === undefined) {
    reportUnknown(member, draft, [...methods.keys()], scene);
    return undefined;
  }
  const [role] = rolesOf(owner, member);
  if (role !== undefined) {
    scene.problems.at(where).add('TW_SCAN_LIST_INVALID', {
      what: `lists its ${listedBy(draft)} with ${member}(), which has ${role}.`,
      why: 'a list is called with the context only and gives descriptions.',
      fix: 'name a method of its own in list',
    });
    return undefined;
  }
  const method: MethodDraft = {
    controller,
    owner,
    member,
    where: memberName(controller.type, member),
    decorator: draft.decorator,
    options: {},
    remaining: 'context',
    middleware: [],
  };
  const { space, problems } = scene;
  const { parameters } = scanParameters({ method, commons: [], space, problems });
  return Object.freeze({ kind: 'method', controller: controller.key, member, parameters });
}

/** The methods of a class with the class that declares each, the nearest one. */
function methodsOf(type: Class): ReadonlyMap<string, Class> {
  const methods = new Map<string, Class>();
  for (const owner of [...classChain(type)].reverse()) {
    const descriptors = Object.getOwnPropertyDescriptors(owner.prototype as object);
    for (const [name, { value }] of Object.entries<PropertyDescriptor>(descriptors)) {
      if (name !== 'constructor' && typeof value === 'function') methods.set(name, owner);
      else methods.delete(name);
    }
  }
  return methods;
}

function reportUnknown(
  member: unknown,
  draft: ListDraft,
  methods: readonly string[],
  { problems }: CallableScene,
): void {
  const { controller, where } = draft;
  const isText = typeof member === 'string';
  const suggestion = isText ? didYouMean(member, methods) : undefined;
  problems.at(where).add('TW_SCAN_LIST_INVALID', {
    what: `lists its ${listedBy(draft)} with ${describeValue(member)}, which is not a method of ${controller.type.name}.`,
    fix: suggestion ?? `add a method to ${controller.type.name}, and name it in list`,
  });
}

function listedBy({ decorator }: MethodDraft): string {
  return decorator === '@Prompt' ? 'prompts' : 'resources';
}
