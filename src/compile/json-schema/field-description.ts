/** The description of a field, followed by a sentence for each rule that the schema cannot say. */
export function describeField(
  description: string | undefined,
  losses: readonly string[],
): { readonly description?: string } {
  const sentences = losses.map((loss) => asSentence(loss));
  const parts = [description, ...sentences].filter((part) => part !== undefined && part !== '');
  if (parts.length === 0) return {};
  return { description: parts.reduce((text, part) => joinSentences(text ?? '', part ?? '')) as string };
}

function joinSentences(text: string, sentence: string): string {
  return /[.!?]$/.test(text) ? `${text} ${sentence}` : `${text}. ${sentence}`;
}

function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
