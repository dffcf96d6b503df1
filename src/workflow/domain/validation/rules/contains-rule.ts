import type { RuleKind } from './rule-kind.ts';

export const containsRule: RuleKind = {
  members: ['value'],
  compile({ value }) {
    const isText = typeof value === 'string';
    const shown = isText ? JSON.stringify(value) : String(value);
    const fault = {
      code: 'CONTAINS_MISSING',
      text: `output must contain ${isText ? `"${value}"` : shown}`,
      suggestions: [
        isText
          ? `Put ${shown} into the output, in exactly these letters, upper and lower case as here.`
          : 'No output passes: have the value of this rule corrected, which has to be text.',
      ],
    };
    return {
      judge: ({ text }) => (isText && text.includes(value) ? undefined : fault),
      forbidden: {
        text: `output must not contain ${isText ? `"${value}"` : shown}`,
        suggestions: [`Take ${shown} out of the output.`],
      },
    };
  },
};
