import { WorkflowService } from '../../../src/workflow/application/workflow-service.ts';
import { WorkflowRpcServer } from '../../../src/workflow/rpc/workflow-rpc-server.ts';
import { createWorkflowStorage } from '../../../src/workflow/storage/create-workflow-storage.ts';

const sources = process.argv.slice(2);
const service = new WorkflowService({ storage: createWorkflowStorage({ sources }) });
const server = new WorkflowRpcServer(service, { input: process.stdin, output: process.stdout });
await server.start();
process.stderr.write('ended\n');
