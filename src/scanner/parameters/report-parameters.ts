import type { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import { defaultedParameter, type DesignType } from '../../metadata/design-types.ts';
import { isClass, type AbstractClass, type Class } from '../../shared/class-type.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { MethodDraft } from '../members/declared-members.ts';
import type { ScannedCallable, ScannedParameter } from '../members/scanned-callable.ts';
import { findHome, reportMissing } from '../providers/token-lookup.ts';
import { parameterName, type ParameterScene } from './classify-parameter.ts';
import { explain, offerRepair } from './explain-type.ts';

interface Numbered {
  readonly index: number;
  readonly design: DesignType;
}

/** The class of the input left no trace at run time. */
export function reportUnknownInput(
  design: Exclude<DesignType, { kind: 'class' }>,
  index: number,
  count: number,
  { method, commons, problems }: ParameterScene,
): void {
  const { why, repair } = explain(design);
  const takes = count === 1 ? 'takes one parameter' : `takes parameter #${String(index + 1)} as its input`;
  problems.at(method.where).add('TW_SCAN_INPUT_UNKNOWN', {
    what: `${takes}, but its class is not known.`,
    why,
    fix:
      method.remaining === 'variables'
        ? `@Input() on a parameter of type Record<string, string>, or ${inputOption(method)}`
        : offerRepair(design, `${offerCommon(commons)}${inputOption(method)}`, repair),
  });
}

/** The one parameter that is left has a class, but that class is not a DTO. */
export function reportNoDto(type: AbstractClass, index: number, scene: ParameterScene): void {
  const { method, space, problems } = scene;
  const { home } = method.controller;
  if (findHome(type, space) !== undefined) {
    reportMissing({ token: type, home, where: parameterName(method, index) }, space, problems);
    return;
  }
  const isGlobal = (globalThis as Record<string, unknown>)[type.name] === type;
  problems.at(method.where).add('TW_SCAN_INPUT_NOT_DTO', {
    what: `takes ${type.name} (parameter #${String(index + 1)}), which is neither injectable in ${home.name} nor a DTO.`,
    why: isGlobal
      ? `that is the global ${type.name}; a class of that name imported with \`import type\` leaves it behind.`
      : 'no provider has that token, and none of its fields has a class-validator decorator.',
    fix: isGlobal
      ? 'rename the class, and import it without `type`'
      : `class-validator decorators on the fields of ${type.name}, or @Module({ providers: [${type.name}] }) on ${home.name}`,
  });
}

/** A parameter beside the input that nothing explains. */
export function reportOpen(design: DesignType, index: number, scene: ParameterScene): void {
  const { method, space, problems } = scene;
  const where = parameterName(method, index);
  if (design.kind === 'class') {
    const { home } = method.controller;
    const unknownCode = 'TW_SCAN_PARAMETER_UNKNOWN';
    reportMissing({ token: design.type, home, where, unknownCode, isTyped: true }, space, problems);
    return;
  }
  problems.at(where).add('TW_SCAN_PARAMETER_UNKNOWN', {
    what: 'receives nothing: it is neither the input nor known to be anything else.',
    why: explainOpen(design, method),
    fix: explainFix(index, scene),
  });
}

function explainFix(index: number, { commons }: ParameterScene): string {
  const parameter = `on parameter #${String(index + 1)}`;
  const common = offerCommon(commons);
  return common === ''
    ? `@Inject(Token) or @Ctx() ${parameter}`
    : `${common}@Inject(Token) or @Ctx(), ${parameter}`;
}

/** A common schema that is not a class leaves nothing in the types, so a parameter has to name it. */
function offerCommon(commons: readonly SchemaSource[]): string {
  const isNamed = commons.every((source) => isClass(source));
  return isNamed ? '' : '@Input(TheSchema) with the `common` schema of the group, or ';
}

/** A parameter has the class of an input, but the method can have none (a fixed URI, a list). */
export function reportNoInput(index: number, { method, problems }: ParameterScene): void {
  const isList = method.remaining === 'context';
  problems.at(method.where).add('TW_SCAN_INPUT_UNEXPECTED', {
    what: `takes an input (parameter #${String(index + 1)}), but ${isList ? 'a list' : 'a fixed URI'} has none.`,
    fix: isList
      ? `remove the parameter, or @Inject(Token) or @Ctx() on it`
      : `remove the parameter, or write a template: @Resource('…/{name}')`,
  });
}

/** Several parameters claim to be the input. */
export function reportInputs(items: readonly Numbered[], { method, problems }: ParameterScene): void {
  const names = items.map(({ design, index }) =>
    design.kind === 'class' ? `${design.type.name} (#${String(index + 1)})` : `#${String(index + 1)}`,
  );
  problems.at(method.where).add('TW_SCAN_INPUT_AMBIGUOUS', {
    what: `has ${String(items.length)} parameters that could be its input: ${names.join(' and ')}.`,
    fix: 'put the fields in one DTO, make one of them the `common` class of the group, or @Inject(Token) the others',
  });
}

/** The method's decorator and @Input disagree. */
export function reportConflict({ method, problems }: ParameterScene): void {
  problems.at(method.where).add('TW_SCAN_INPUT_CONFLICT', {
    what: `names one input in ${method.decorator} and another one in @Input.`,
    fix: `name it once: remove \`input\` from ${method.decorator}, or write @Input() without a class`,
  });
}

/** The class that is named and the one that the handler is written for are not related. */
export function reportOtherClass(
  { index, named, taken }: { readonly index: number; readonly named: Class; readonly taken: Class },
  { method, problems }: ParameterScene,
): void {
  problems.at(`${method.where} #${String(index + 1)}`).add('TW_SCAN_INPUT_TYPE', {
    what: `has the class ${taken.name}, but its input is named as ${named.name}.`,
    why: `the handler would get an instance of ${named.name}, whatever its parameter says.`,
    fix: `write ${named.name} for the type of the parameter, or name ${taken.name} as the input`,
  });
}

function explainOpen(design: Exclude<DesignType, { kind: 'class' }>, method: MethodDraft): string {
  if (design.kind === 'primitive') return `its type is ${design.name}, which is not a token.`;
  const isUndecorated = method.remaining === 'context' && design.kind === 'notEmitted';
  return isUndecorated ? 'compilers write types for methods with a decorator only.' : explain(design).why;
}

function inputOption({ decorator }: MethodDraft): string {
  return decorator === '@Resource'
    ? "@Resource('…', { input: TheClass })"
    : `${decorator}({ input: TheClass })`;
}

/** Warns of the default value of an input, which no call ever uses. */
export function warnOfDefault(
  { owner, member, where }: MethodDraft,
  {
    input,
    parameters,
  }: Pick<ScannedCallable, 'input'> & { readonly parameters: readonly ScannedParameter[] },
  warnings: ProblemList<WarningCode>,
): void {
  const index = defaultedParameter(owner, member);
  if (index === undefined || parameters[index]?.kind !== 'input') return;
  const fields = isClass(input) ? `the fields of ${input.name}` : 'the fields of the input';
  warnings.at(where).add('TW_SCAN_DEFAULT_UNUSED', {
    what: `gives parameter #${String(index + 1)}, its input, a default value that is never used.`,
    why: 'a call always gives an input; without arguments it is an empty one.',
    fix: `give ${fields} default values, or make them optional`,
  });
}
