import type { IconOptions } from '../../metadata/options.ts';
import { isDto, validatedProperties } from '../../dto/shape/validation-metadata.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { NameTemplate } from '../../shared/name-template.ts';
import { isStandardSchema, type SchemaSource, type StandardSchema } from '../../shared/schema-source.ts';
import { groupName, type GroupPath } from '../groups/group-tree.ts';
import type { ControllerDraft } from '../members/read-controllers.ts';
import { scanCallable, tagsOf, type CallableScene } from '../members/scan-callable.ts';
import type { ScannedCallable, ScannedHandler } from '../members/scanned-callable.ts';
import { scanCompletions, type ScannedCompletion } from '../scan-completions.ts';
import { scanList } from '../scan-list.ts';
import type { PromptDraft } from './read-prompts.ts';

/** A prompt, resolved and checked: plain data without instances. */
export interface ScannedPrompt extends ScannedCallable {
  readonly kind: 'prompt';
  /** Unique among the prompts of an application. */
  readonly name: string;
  /** The class that declares it, when that is a @ToolGroup: the group it belongs to in the model. */
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
  /** Set for a family of prompts: how their names are made, and the method that lists them. */
  readonly family:
    | { readonly template: NameTemplate; readonly list: Extract<ScannedHandler, { kind: 'method' }> }
    | undefined;
  readonly completions: readonly ScannedCompletion[];
}

/** All prompts in the order of the controllers; their names differ. */
export function scanPrompts(
  controllers: readonly ControllerDraft[],
  paths: ReadonlyMap<Class, GroupPath>,
  scene: CallableScene,
): readonly ScannedPrompt[] {
  const drafts = controllers.flatMap(({ prompts }) => prompts);
  const first = new Map<string, PromptDraft>();
  for (const draft of drafts) {
    const other = first.get(draft.name);
    if (other === undefined) first.set(draft.name, draft);
    else {
      scene.problems.add('TW_SCAN_PROMPT_DUPLICATE', {
        where: draft.where,
        what: `is a second prompt with the name "${draft.name}", beside ${other.where}.`,
        fix: "@Prompt({ name: '…' }) on one of them",
      });
    }
  }
  return Object.freeze(
    drafts.map((draft) => scanPrompt(draft, paths.get(draft.controller.type) ?? [], scene)),
  );
}

function scanPrompt(draft: PromptDraft, path: GroupPath, scene: CallableScene): ScannedPrompt {
  const { options, name } = draft;
  const callable = scanCallable(draft, path, [], scene);
  return Object.freeze({
    kind: 'prompt',
    name,
    group: groupName(path),
    title: options.title,
    description: options.description,
    icons: options.icons,
    meta: options.meta,
    tags: tagsOf(draft, path),
    family: scanFamily(draft, scene),
    completions: scanCompletions(draft, argumentsOf(callable), scene.problems),
    ...callable,
  });
}

function scanFamily(draft: PromptDraft, scene: CallableScene): ScannedPrompt['family'] {
  const { template } = draft;
  const list = template && scanList(draft, scene);
  return list && Object.freeze({ template, list });
}

/** Undefined when they are not known; then that is reported, or the schema does not say. */
function argumentsOf({ input, handler }: ScannedCallable): readonly string[] | undefined {
  if (input !== undefined) return knownFields(input);
  const takesInput = handler.kind === 'method' && handler.parameters.some(({ kind }) => kind === 'input');
  return takesInput ? undefined : [];
}

/** The names of a schema's fields; undefined when they cannot be told without compiling it. */
function knownFields(source: SchemaSource): readonly string[] | undefined {
  if (isStandardSchema(source)) return propertiesOf(jsonSchemaOf(source));
  if (isClass(source)) return isDto(source) ? validatedProperties(source) : undefined;
  return propertiesOf(source);
}

function jsonSchemaOf(schema: StandardSchema): unknown {
  try {
    return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  } catch {
    // Compile reports what has no JSON Schema
    return undefined;
  }
}

function propertiesOf(schema: unknown): readonly string[] | undefined {
  if (!isPlainObject(schema)) return undefined;
  const isWhole = !['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', 'if', 'patternProperties'].some(
    (keyword) => Object.hasOwn(schema, keyword),
  );
  const { properties } = schema as { readonly properties?: unknown };
  return isWhole && isPlainObject(properties) ? Object.keys(properties) : undefined;
}
