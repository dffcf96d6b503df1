import { GoogleGenAI, type Content, type Part, type Tool } from '@google/genai';
import type { McpApplication } from 'toolwright';

/** Generate content: calls and results are parts. */
export async function runGemini(app: McpApplication, baseUrl: string, task: string): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } });
  const { tools, dispatch } = await app.export('gemini');
  const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }];
  for (;;) {
    const response = await client.models.generateContent({
      model: 'scripted',
      contents,
      config: { tools: tools as Tool[] },
    });
    const content = response.candidates?.[0]?.content;
    if (content === undefined) throw new Error('The model said nothing');
    contents.push(content);
    const calls = content.parts?.filter(({ functionCall }) => functionCall !== undefined) ?? [];
    if (calls.length === 0) return response.text ?? '';
    contents.push({ role: 'user', parts: (await Promise.all(calls.map(dispatch))) as Part[] });
  }
}
