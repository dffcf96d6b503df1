import { catalogue } from '../../errors/catalogue.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { packageVersion } from '../package-version.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The problems as a log of SARIF 2.1.0, which code hosts show beside the file. */
export function sarifLog(problems: readonly Problem[], file: string): object {
  const codes = [...new Set(problems.map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, shortDescription: { text: catalogue[code] } }));
  const uri = file.replaceAll('\\', '/');
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'toolwright', version: packageVersion(), rules } },
        results: problems.map(({ code, where, what, fix }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: 'error',
          message: { text: `${where} ${what}\nfix: ${fix}` },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri } },
              logicalLocations: [{ fullyQualifiedName: where }],
            },
          ],
        })),
      },
    ],
  };
}
