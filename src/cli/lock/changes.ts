import { compareText } from '../../shared/canonical-json.ts';

/**
 * How much a change asks of those who use a server. Breaking: calls that worked fail, or a promise is withdrawn. Risky: the
 * same calls work, but a model may choose or fill in differently.
 */
export type Level = 'breaking' | 'risky' | 'safe';

/** All levels, the most serious first. */
export const LEVELS: readonly Level[] = Object.freeze(['breaking', 'risky', 'safe']);

/** What version number a change of each level asks for. */
export const ADVICE: Readonly<Record<Level, string>> = Object.freeze({
  breaking: 'major',
  risky: 'minor',
  safe: 'patch',
});

interface Rule {
  readonly level: Level;
  /** What has happened, in a few words, for lists of rules. */
  readonly title: string;
}

const breaking = (title: string): Rule => ({ level: 'breaking', title });
const risky = (title: string): Rule => ({ level: 'risky', title });
const safe = (title: string): Rule => ({ level: 'safe', title });

/** Every kind of change that a difference can name. */
export const RULES = Object.freeze({
  'tool-removed': breaking('A tool is gone'),
  'tool-renamed': breaking('A tool has another name'),
  'tool-added': safe('A tool is new'),
  'tools-reordered': risky('The tools come in another order'),
  'exposition-changed': breaking('Grouped actions became tools, or the other way round'),
  'discriminator-renamed': breaking('The argument that names the action has another name'),
  'action-removed': breaking('An action is gone'),
  'action-renamed': breaking('An action has another name'),
  'action-added': safe('An action is new'),
  'action-version-removed': breaking('A version of an action is gone'),
  'action-version-changed': risky('Another version of an action is listed'),
  'action-version-added': safe('An action has a new version'),
  'action-deprecated': risky('An action is deprecated'),
  'action-not-deprecated': safe('An action is no longer deprecated'),
  'prompt-removed': breaking('A prompt is gone'),
  'prompt-renamed': breaking('A prompt has another name'),
  'prompt-added': safe('A prompt is new'),
  'argument-removed': breaking('An argument of a prompt is gone'),
  'argument-required': breaking('A prompt needs an argument that it did not need'),
  'argument-optional': safe('A prompt no longer needs an argument'),
  'argument-added': safe('A prompt takes a further argument'),
  'resource-removed': breaking('A resource is gone'),
  'resource-uri-changed': breaking('A resource has another URI'),
  'resource-added': safe('A resource is new'),
  'template-removed': breaking('A resource template is gone'),
  'template-changed': breaking('A resource template has another URI'),
  'template-added': safe('A resource template is new'),
  'mime-type-changed': breaking('A resource has another media type'),

  'field-required-added': breaking('A required field is new'),
  'field-optional-added': safe('An optional field is new'),
  'field-removed': breaking('A field is gone, and is refused'),
  'field-dropped': risky('A field is gone, and is dropped'),
  'field-made-required': breaking('An optional field is required'),
  'field-made-optional': safe('A required field is optional'),
  'type-changed': breaking('A field has another type'),
  'type-narrowed': breaking('A field no longer takes a type'),
  'type-widened': safe('A field takes a further type'),
  'value-removed': breaking('A field no longer takes a value'),
  'value-added': safe('A field takes a further value'),
  'bound-tightened': breaking('A field takes less: a limit'),
  'bound-loosened': safe('A field takes more: a limit'),
  'pattern-changed': breaking('A field has a new pattern or format'),
  'pattern-removed': safe('A field lost its pattern or format'),
  'constraint-changed': breaking('A field has another rule'),
  'unknown-fields-refused': breaking('Fields that are not known are refused'),
  'unknown-fields-accepted': safe('Fields that are not known are accepted'),
  'default-changed': risky('A field has another default'),

  'output-removed': breaking('The schema of the result is gone'),
  'output-added': safe('The result has a schema'),
  'output-field-removed': breaking('A field of the result is gone'),
  'output-field-optional': breaking('A field of the result may be missing'),
  'output-field-required': safe('A field of the result is always there'),
  'output-field-added': safe('A field of the result is new'),
  'output-type-widened': breaking('A field of the result has a further type'),
  'output-type-changed': breaking('A field of the result has another type'),
  'output-type-narrowed': safe('A field of the result lost a type'),
  'output-value-added': breaking('A field of the result has a further value'),
  'output-value-removed': safe('A field of the result lost a value'),
  'output-bound-loosened': risky('A limit of the result is wider'),
  'output-bound-tightened': safe('A limit of the result is narrower'),
  'output-constraint-changed': risky('A field of the result has another rule'),
  'unpublished-output-broken': risky('The result of an action changed, which its tool does not publish'),
  'unpublished-output-changed': safe(
    'The result of an action is another one, which its tool does not publish',
  ),

  'read-only-withdrawn': breaking('It no longer promises to only read'),
  'destructive-added': breaking('It may now destroy'),
  'idempotent-withdrawn': breaking('It no longer promises that repeating it is harmless'),
  'read-only-added': risky('It now promises to only read'),
  'destructive-withdrawn': risky('It no longer warns that it may destroy'),
  'open-world-changed': risky('It changed whether it reaches beyond the server'),
  'open-world-said': safe('It says now whether it reaches beyond the server'),
  'consent-added': breaking('Its calls need a consent that clients did not need before'),
  'consent-weakened': risky('It asks for less consent than before'),
  'idempotent-added': safe('It now promises that repeating it is harmless'),

  'surface-name-removed': breaking('Clients of a surface cannot call a tool any more'),
  'surface-name-moved': risky('A surface lists a tool no longer, and calls of its name still work'),
  'surface-name-added': safe('A surface lists a new tool'),
  'client-surface-changed': risky('Clients get another surface'),
  'surface-changed': risky('The tools of a surface read differently'),
  'profiles-changed': safe('What is known of clients is of another month'),

  'description-changed': risky('A description reads differently'),
  'instructions-changed': risky('The instructions of the server read differently'),
  'tokens-grown': risky('The whole costs over a tenth more tokens'),
  'white-space-changed': safe('A text differs in white space only'),
  'presentation-changed': safe('A title, icon, example or piece of metadata differs'),
  'server-changed': safe('The server introduces itself differently'),
} satisfies Readonly<Record<string, Rule>>);

export type RuleName = keyof typeof RULES;

/** One difference between two surfaces. */
export interface Change {
  readonly rule: RuleName;
  readonly level: Level;
  /** What has changed: `tasks`, `tasks.create(title)`, `tasks.create -> id`, `prompt review`. It is the same in every form of output. */
  readonly where: string;
  /** The tool, prompt or resource that it belongs to; empty for the server itself. */
  readonly owner: string;
  /** What differs: a sentence without its full stop. */
  readonly message: string;
}

/** Makes a change by its rule; the detail says what the rule alone does not. */
export function changeOf(rule: RuleName, owner: string, where: string, detail?: string): Change {
  const { level, title } = RULES[rule];
  return { rule, level, owner, where, message: detail === undefined ? title : `${title}: ${detail}` };
}

/** Sorted by level, then by what it belongs to, then by place. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  const rank = ({ level }: Change): number => LEVELS.indexOf(level);
  return changes.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      compareText(left.owner, right.owner) ||
      compareText(left.where, right.where),
  );
}
