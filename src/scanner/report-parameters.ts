import type { DesignType } from '../metadata/design-types.ts';
import type { AbstractClass } from '../shared/class-type.ts';
import { parameterName, type ParameterScene } from './classify-parameter.ts';
import { explain } from './explain-type.ts';
import type { MethodDraft } from './method-draft.ts';
import { findHome, reportMissing } from './token-lookup.ts';

interface Numbered {
  readonly index: number;
  readonly design: DesignType;
}

/** The class of the input left no trace at run time. */
export function reportUnknownInput(
  design: Exclude<DesignType, { kind: 'class' }>,
  index: number,
  count: number,
  { method, problems }: ParameterScene,
): void {
  const { why, repair } = explain(design);
  const takes = count === 1 ? 'takes one parameter' : `takes parameter #${String(index + 1)} as its input`;
  problems.add('TW_SCAN_INPUT_UNKNOWN', {
    where: method.where,
    what: `${takes}, but its class is not known.`,
    why,
    fix:
      method.remaining === 'variables'
        ? `@Input() on a parameter of type Record<string, string>, or ${inputOption(method)}`
        : `${inputOption(method)}, or ${repair}`,
  });
}

/** The one parameter that is left has a class, but that class is no DTO. */
export function reportNoDto(type: AbstractClass, index: number, scene: ParameterScene): void {
  const { method, space, problems } = scene;
  const { home } = method.controller;
  if (findHome(type, space) !== undefined) {
    reportMissing({ token: type, home, where: parameterName(method, index) }, space, problems);
    return;
  }
  const isGlobal = (globalThis as Record<string, unknown>)[type.name] === type;
  problems.add('TW_SCAN_INPUT_NOT_DTO', {
    where: method.where,
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
    reportMissing({ token: design.type, home, where, unknownCode }, space, problems);
    return;
  }
  problems.add('TW_SCAN_PARAMETER_UNKNOWN', {
    where,
    what: 'receives nothing: it is neither the input nor known to be anything else.',
    why: explainOpen(design, method),
    fix: `@Inject(Token) or @Ctx() on parameter #${String(index + 1)}`,
  });
}

/** The class of an input, where there is none. */
export function reportNoInput(index: number, { method, problems }: ParameterScene): void {
  const isList = method.remaining === 'context';
  problems.add('TW_SCAN_INPUT_UNEXPECTED', {
    where: method.where,
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
  problems.add('TW_SCAN_INPUT_AMBIGUOUS', {
    where: method.where,
    what: `has ${String(items.length)} parameters that could be its input: ${names.join(' and ')}.`,
    fix: 'put the fields in one DTO, make one of them the `common` class of the group, or @Inject(Token) the others',
  });
}

/** The method's decorator and @Input disagree. */
export function reportConflict({ method, problems }: ParameterScene): void {
  problems.add('TW_SCAN_INPUT_CONFLICT', {
    where: method.where,
    what: `names one input in ${method.decorator} and another one in @Input.`,
    fix: `name it once: remove \`input\` from ${method.decorator}, or write @Input() without a class`,
  });
}

function explainOpen(design: Exclude<DesignType, { kind: 'class' }>, method: MethodDraft): string {
  if (design.kind === 'primitive') return `its type is ${design.name}, which is no token.`;
  const isUndecorated = method.remaining === 'context' && design.kind === 'notEmitted';
  return isUndecorated ? 'compilers write types for methods with a decorator only.' : explain(design).why;
}

function inputOption({ decorator }: MethodDraft): string {
  return decorator === '@Resource'
    ? "@Resource('…', { input: TheClass })"
    : `${decorator}({ input: TheClass })`;
}
