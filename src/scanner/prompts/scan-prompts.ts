import type { PromptOptions } from '../../metadata/options.ts';
import { isDto, validatedProperties } from '../../dto/shape/validation-metadata.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { isPlainObject } from '../../shared/json.ts';
import { type NameTemplate, parseNameTemplate } from '../../shared/names.ts';
import {
  isStandardSchema,
  readJsonSchema,
  type SchemaSource,
  type StandardSchema,
} from '../../shared/schema-source.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { scanOffer, type CallableScene } from '../members/scan-callable.ts';
import type { MethodHandler, ScannedCallable, ScannedOffer } from '../members/scanned-callable.ts';
import { scanCompletions } from '../scan-completions.ts';
import { scanList } from '../scan-list.ts';
import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import { PROMPT_RULES } from '../../metadata/option-rules.ts';
import {
  declaredMembers,
  draftMethod,
  type Controller,
  type MethodDraft,
} from '../members/declared-members.ts';

/** A prompt, resolved and checked: plain data without instances. Its name is unique among those of an application. */
export interface ScannedPrompt extends ScannedOffer {
  readonly kind: 'prompt';
  /** Set for a family of prompts: how their names are made, and the method that lists them. */
  readonly family: { readonly template: NameTemplate; readonly list: MethodHandler } | undefined;
}

/** All prompts in the order of the controllers; their names differ. */
export function scanPrompts(
  drafts: readonly PromptDraft[],
  paths: ReadonlyMap<Class, GroupPath>,
  scene: CallableScene,
): readonly ScannedPrompt[] {
  const first = new Map<string, PromptDraft>();
  for (const draft of drafts) {
    const other = first.get(draft.name);
    if (other === undefined) first.set(draft.name, draft);
    else {
      scene.problems.at(draft.where).add('TW_SCAN_PROMPT_DUPLICATE', {
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
  const offer = scanOffer(draft, path, scene);
  const { requirements } = offer;
  const completions = scanCompletions(draft, { fields: argumentsOf(offer), requirements }, scene);
  return Object.freeze({ ...offer, kind: 'prompt', family: scanFamily(draft, scene), completions });
}

function scanFamily(draft: PromptDraft, scene: CallableScene): ScannedPrompt['family'] {
  const { template } = draft;
  const list = template && scanList(draft, scene);
  return list && Object.freeze({ template, list });
}

/** Undefined if they are unknown: this has been reported, or the schema does not list them. */
function argumentsOf({ input, handler }: ScannedCallable): readonly string[] | undefined {
  if (input !== undefined) return knownFields(input);
  const takesInput = handler.kind === 'method' && handler.parameters.some(({ kind }) => kind === 'input');
  return takesInput ? undefined : [];
}

/** The names of a schema's fields; undefined when only compiling can find them. */
function knownFields(source: SchemaSource): readonly string[] | undefined {
  if (isStandardSchema(source)) return propertiesOf(jsonSchemaOf(source));
  if (isClass(source)) return isDto(source) ? validatedProperties(source) : undefined;
  return propertiesOf(source);
}

function jsonSchemaOf(schema: StandardSchema): unknown {
  try {
    return readJsonSchema(schema, 'input');
  } catch {
    // Compile reports sources without a JSON Schema
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

/** A prompt as its class declares it. */
export interface PromptDraft extends MethodDraft {
  readonly name: string;
  /** Set for a family of prompts. */
  readonly template: NameTemplate | undefined;
  readonly options: PromptOptions;
}

/** The prompts of a class in source order, those of its base classes first. */
export function readPrompts(controller: Controller, problems: ProblemList): readonly PromptDraft[] {
  return declaredMembers(controller.type, 'prompt').map((found) => {
    const method = draftMethod(controller, found, PROMPT_RULES, problems);
    const template = readNameTemplate(method.name, method.options, problems.at(method.where));
    return { ...method, remaining: 'input', template };
  });
}

/** Reads the name of a family of prompts. Clients could not find a family without a list, so it must have one. */
function readNameTemplate(
  name: unknown,
  { list }: PromptOptions,
  here: ProblemPlace,
): NameTemplate | undefined {
  const hasVariables = typeof name === 'string' && /[{}]/.test(name);
  const template = hasVariables ? parseNameTemplate(name) : undefined;
  const fault = faultOf(hasVariables, template !== undefined, list !== undefined);
  if (fault !== undefined) {
    here.add('TW_SCAN_PROMPT_FAMILY', fault);
    return undefined;
  }
  return template;
}

function faultOf(
  hasVariables: boolean,
  isTemplate: boolean,
  hasList: boolean,
): { readonly what: string; readonly fix: string } | undefined {
  if (hasVariables && !isTemplate) {
    return {
      what: 'has a name that is not one variable with text around it.',
      fix: "write it like name: 'review_{language}'",
    };
  }
  if (isTemplate && !hasList) {
    return {
      what: 'is a family of prompts, but nothing says which there are.',
      fix: "@Prompt({ name: '…', list: 'method' }), a method that gives [{ name, description }]",
    };
  }
  if (!isTemplate && hasList) {
    return {
      what: 'sets list, which counts on a family of prompts only.',
      fix: "remove list, or give it a name with a variable: name: 'review_{language}'",
    };
  }
  return undefined;
}
