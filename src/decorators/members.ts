import type {
  ActionOptions,
  FieldOptions,
  PageOptions,
  PromptOptions,
  ResourceOptions,
} from '../metadata/options.ts';
import type { InjectOptions, ReadinessCheckOptions } from '../metadata/module-options.ts';
import { appendRecord, type Mark, admitNull } from '../metadata/records.ts';
import { redactInspection } from '../metadata/sensitive-fields.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { copyOptions } from '../metadata/copy-options.ts';
import {
  methodDecorator,
  refuseFurther,
  parameterDecorator,
  propertyDecorator,
} from '../metadata/decorator-target.ts';
import type { HandlerDecorator } from './handler-types.ts';
import type { Token } from '../shared/class-type.ts';

/**
 * Makes a method an action of its tool.
 * The name is the method's name by default, and the input is the parameter that nothing else explains.
 * A handler whose only parameter or result cannot be what `input` and `output` declare does not compile.
 *
 * @example
 * @Action('Create a task')
 * create(input: CreateTask) {}
 */
export function Action<Input extends SchemaSource = SchemaSource, Output extends SchemaSource = SchemaSource>(
  options: string | ActionOptions<Input, Output> = {},
  ...further: never[]
): HandlerDecorator<Input, Output> {
  refuseFurther('@Action', 1, further, "@Action({ description: 'Create a task', name: 'create' })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return methodDecorator('@Action', (target, member, isStatic) => {
    appendRecord(target, { kind: 'action', member, isStatic, options: copy });
  });
}

/**
 * Makes a method a prompt.
 * The name is the method's name by default, and the arguments are the fields of the parameter that nothing
 * else explains; without such a parameter it has none.
 *
 * @example
 * @Prompt('Explain a file')
 * explain(input: ImportFile) { return `Explain ${input.path}, please.`; }
 */
export function Prompt(options: string | PromptOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther('@Prompt', 1, further, "@Prompt({ description: 'Explain a file', name: 'explain' })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return methodDecorator('@Prompt', (target, member, isStatic) => {
    appendRecord(target, { kind: 'prompt', member, isStatic, options: copy });
  });
}

/**
 * Makes a method read a resource, or with an RFC 6570 template all resources whose URIs fit it.
 * The name is the method's name by default. A template's variables arrive as the class of the parameter that
 * nothing else explains, or as a plain object with `@Input()`.
 *
 * @example
 * @Resource('pages://{slug}', { mimeType: 'text/markdown', list: 'pages' })
 * page(@Input() variables: Record<string, string>) {}
 */
export function Resource(uri: string, options: ResourceOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther(
    '@Resource',
    2,
    further,
    "@Resource('pages://{slug}', { name: 'page', description: 'A page' })",
  );
  const copy = copyOptions(options);
  return methodDecorator('@Resource', (target, member, isStatic) => {
    appendRecord(target, { kind: 'resource', member, isStatic, uri, options: copy });
  });
}

/**
 * Makes a method complete one argument of a prompt, or one variable of a resource template, that another
 * method of the same class declares. It gets the text typed so far and a CompletionContext.
 *
 * @example
 * @Complete('review', 'path')
 * paths(value: string, context: CompletionContext) { return ['README.md']; }
 */
export function Complete(member: string, argument: string): MethodDecorator {
  return methodDecorator('@Complete', (target, completing) => {
    appendRecord(target, { kind: 'complete', member: completing, of: member, argument });
  });
}

/**
 * Makes a method of a provider or controller say whether the application can serve: it fails by throwing, or by giving
 * false. It runs in the background; `/readyz` is 503 until it has succeeded once, and after three failures in a row. It
 * gets an AbortSignal for its time limit, and is not run again before it has ended.
 *
 * @example
 * @Readiness({ timeout: 1000 })
 * async ping(signal: AbortSignal) { await fetch('https://billing.example/health', { signal }); }
 */
export function Readiness(options: ReadinessCheckOptions = {}, ...further: never[]): MethodDecorator {
  refuseFurther('@Readiness', 1, further, '@Readiness({ timeout: 1000 })');
  const copy = copyOptions(options);
  return methodDecorator('@Readiness', (target, member, isStatic) => {
    appendRecord(target, { kind: 'readiness', member, isStatic, options: copy });
  });
}

/**
 * Says that an action changes nothing.
 * Actions are not read-only by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('List the open tasks') @ReadOnly() list() {}
 */
export function ReadOnly(...further: never[]): MethodDecorator {
  return markDecorator('@ReadOnly', 'readOnly', further);
}

function markDecorator(name: string, mark: Mark, further: readonly unknown[]): MethodDecorator {
  refuseFurther(name, 0, further, `${name}()`);
  return methodDecorator(name, (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark });
  });
}

/**
 * Marks the parameter that receives the action's input, or the fields that its group has in common.
 * The DTO is the parameter's own class by default, which needs emitted types.
 *
 * @example
 * create(@Input(CreateTask) input: CreateTask & Workspace) {}
 */
export function Input(type?: SchemaSource): ParameterDecorator {
  return parameterDecorator('@Input', (target, member, index) => {
    appendRecord(target, {
      kind: 'parameter',
      member,
      index,
      source: Object.freeze({ kind: 'input', type }),
    });
  });
}

/**
 * Marks the parameter that receives the ToolContext of the call.
 * Not needed on a parameter typed `ToolContext` when the compiler emits types.
 *
 * @example
 * list(@Ctx() ctx: ToolContext) {}
 */
export function Ctx(): ParameterDecorator {
  return parameterDecorator('@Ctx', (target, member, index) => {
    appendRecord(target, { kind: 'parameter', member, index, source: Object.freeze({ kind: 'context' }) });
  });
}

/**
 * Injects what a token stands for, into a constructor's or an action's parameter.
 * Use `() => TheClass` when files import each other. Not optional by default; an optional one is `undefined`
 * when nobody provides it.
 *
 * @example
 * constructor(@Inject('DATABASE') private readonly db: Database, @Inject(Cache, { optional: true }) cache?: Cache) {}
 */
export function Inject(token: Token | (() => Token), options: InjectOptions = {}): ParameterDecorator {
  const copy = copyOptions(options);
  return parameterDecorator('@Inject', (target, member, index) => {
    const source = Object.freeze({ kind: 'inject', token, options: copy } as const);
    appendRecord(target, { kind: 'parameter', member, index, source });
  });
}

/**
 * Describes a field of a DTO to the model that fills it in.
 * Nothing is said by default; rules and types come from class-validator and the property itself.
 *
 * @example
 * class Workspace { @IsString() @Field('Workspace to work in') workspaceId!: string }
 */
export function Field(options: string | FieldOptions = {}, ...further: never[]): PropertyDecorator {
  refuseFurther('@Field', 1, further, "@Field({ description: 'Its title', examples: ['Moby-Dick'] })");
  const copy = copyOptions(typeof options === 'string' ? { description: options } : options);
  return propertyDecorator('@Field', (target, property) => {
    appendRecord(target, { kind: 'field', property, options: copy });
    if (copy.nullable === true) admitNull(target, property);
  });
}

/**
 * Says that the values of a DTO's field are nobody's business: `[redacted]` stands in their place in error texts, in
 * the log, and where an instance is printed. With @ValidateNested it covers everything inside the value.
 * Nothing is sensitive by default. The handler gets the value as it is.
 *
 * @example
 * class SignIn { @IsString() @Sensitive() password!: string }
 */
export function Sensitive(...further: never[]): PropertyDecorator {
  refuseFurther('@Sensitive', 0, further, '@Sensitive()');
  return propertyDecorator('@Sensitive', (target, property) => {
    appendRecord(target, { kind: 'sensitive', property });
    redactInspection(target);
  });
}

/**
 * Marks the list of an output class that is cut if the result exceeds its budget: as many whole elements stay as fit, at
 * least one. Of the members that the class declares, `truncated` becomes true, `total` the number of all elements unless
 * the handler gave it, and `nextCursor` what `cursor` makes of the last element that was kept. Nothing is filled in where
 * everything fits, so `truncated` should be optional.
 *
 * @example
 * class TaskPage {
 *   @IsString({ each: true }) @IsArray() @Page<string>({ cursor: (last) => last }) titles!: string[];
 *   @IsString() @IsOptional() nextCursor?: string;
 * }
 */
export function Page<Element = unknown>(
  options: PageOptions<Element> = {},
  ...further: never[]
): PropertyDecorator {
  refuseFurther('@Page', 1, further, '@Page({ cursor: (task: Task) => task.id })');
  const copy = copyOptions(options);
  return propertyDecorator('@Page', (target, property) => {
    appendRecord(target, { kind: 'page', property, options: copy });
  });
}
