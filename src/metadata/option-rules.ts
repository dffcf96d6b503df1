import {
  aFunction,
  anObject,
  anything,
  either,
  filledText,
  checkedLater,
  listOf,
  objectOf,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  text,
  texts,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { QueuedTask } from '../call/action-options.ts';
import type {
  ActionOptions,
  CacheOptions,
  FieldOptions,
  IconOptions,
  PageOptions,
  PromptOptions,
  ResourceAnnotationOptions,
  ResourceOptions,
  ToolAnnotationHints,
  ToolGroupOptions,
} from './options.ts';
import type {
  ClassProvider,
  DynamicModule,
  ExistingProvider,
  FactoryProvider,
  InjectableOptions,
  InjectOptions,
  ModuleOptions,
  ReadinessCheckOptions,
  ValueProvider,
} from './module-options.ts';

export const unknownFieldsRule = oneOf('strict', 'strip');
export const exposeRule = oneOf('grouped', 'flat');
export const describeRule = oneOf('plain', 'toon', 'signatures');
export const resultRule = oneOf('json', 'toon', 'text');
const QUEUE_RULES: OptionRules<QueuedTask> = {
  queue: required(
    rule(
      'a name of letters, digits, dots, dashes and underscores',
      (name) => typeof name === 'string' && /^[\w.-]{1,100}$/.test(name),
    ),
  ),
};
export const taskRule = either(trueOrFalse, oneOf('required', 'on-demand'), objectOf(QUEUE_RULES));
const scopeRule = oneOf('singleton', 'request', 'transient');

export const READINESS_CHECK_RULES: OptionRules<ReadinessCheckOptions> = { timeout: positiveMilliseconds };

const ICON_RULES: OptionRules<IconOptions> = {
  src: { ...filledText, isRequired: true },
  mimeType: text,
  sizes: texts,
  theme: oneOf('light', 'dark'),
};
export const iconsRule = listOf(objectOf(ICON_RULES), 'a list of icons, such as [{ src: "https://…" }]');

export const CACHE_RULES: OptionRules<CacheOptions> = {
  ttl: wholeNumber(0),
  scope: oneOf('public', 'private'),
};

export const HINT_RULES: OptionRules<ToolAnnotationHints> = {
  title: text,
  readOnlyHint: trueOrFalse,
  destructiveHint: trueOrFalse,
  idempotentHint: trueOrFalse,
  openWorldHint: trueOrFalse,
  returnDirect: trueOrFalse,
};

export const GROUP_RULES: OptionRules<ToolGroupOptions> = {
  name: text,
  title: text,
  description: text,
  parent: checkedLater,
  common: checkedLater,
  tags: texts,
  discriminator: filledText,
  expose: exposeRule,
  describe: describeRule,
  separator: text,
  prefix: checkedLater,
  annotations: objectOf(HINT_RULES),
  unknownFields: unknownFieldsRule,
  icons: iconsRule,
  version: checkedLater,
  deprecated: checkedLater,
  meta: anObject,
};

export const ACTION_RULES: OptionRules<ActionOptions> = {
  name: checkedLater,
  title: text,
  description: text,
  input: checkedLater,
  output: checkedLater,
  groups: listOf(anything, 'a list of @ToolGroup classes'),
  tags: texts,
  unknownFields: unknownFieldsRule,
  result: resultRule,
  task: taskRule,
  version: checkedLater,
  deprecated: checkedLater,
  pin: trueOrFalse,
};

export const PROMPT_RULES: OptionRules<PromptOptions> = {
  name: checkedLater,
  list: checkedLater,
  title: text,
  description: text,
  input: checkedLater,
  icons: iconsRule,
  tags: texts,
  unknownFields: unknownFieldsRule,
  meta: anObject,
};

const RESOURCE_ANNOTATION_RULES: OptionRules<ResourceAnnotationOptions> = {
  audience: listOf(oneOf('user', 'assistant')),
  priority: rule('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
  lastModified: text,
};

export const RESOURCE_RULES: OptionRules<ResourceOptions> = {
  name: checkedLater,
  title: text,
  description: text,
  mimeType: text,
  annotations: objectOf(RESOURCE_ANNOTATION_RULES),
  size: wholeNumber(0),
  icons: iconsRule,
  list: checkedLater,
  input: checkedLater,
  tags: texts,
  cache: objectOf(CACHE_RULES),
  meta: anObject,
};

const jsonTypeRule = oneOf('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

export const FIELD_RULES: OptionRules<FieldOptions> = {
  description: text,
  title: text,
  examples: listOf(anything, 'a list of examples'),
  default: anything,
  deprecated: trueOrFalse,
  format: text,
  type: either(jsonTypeRule, listOf(jsonTypeRule, 'a list of JSON types')),
  nullable: trueOrFalse,
  header: text,
};

export const PAGE_RULES: OptionRules<PageOptions> = { cursor: aFunction };

export const INJECTABLE_RULES: OptionRules<InjectableOptions> = { scope: scopeRule };

export const INJECT_RULES: OptionRules<InjectOptions> = { optional: trueOrFalse };

export const MODULE_RULES: OptionRules<ModuleOptions> = {
  imports: listOf(anything, 'a list of modules'),
  controllers: listOf(anything, 'a list of classes'),
  providers: listOf(anything, 'a list of providers'),
  exports: listOf(anything, 'a list of tokens or modules'),
  global: trueOrFalse,
};

export const DYNAMIC_MODULE_RULES: OptionRules<DynamicModule> = { ...MODULE_RULES, module: checkedLater };

/** Of all kinds of providers; which of them go together is checked later. */
export const PROVIDER_RULES: OptionRules<ClassProvider & ValueProvider & FactoryProvider & ExistingProvider> =
  {
    provide: checkedLater,
    useClass: checkedLater,
    useValue: anything,
    useFactory: checkedLater,
    useExisting: checkedLater,
    inject: listOf(anything, 'a list of tokens'),
    scope: scopeRule,
  };
