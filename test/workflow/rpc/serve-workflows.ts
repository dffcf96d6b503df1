import { createWorkflowStorage, WorkflowRpcServer, WorkflowService } from 'toolwright/workflow';

const sources = process.argv.slice(2);
const service = new WorkflowService({ storage: createWorkflowStorage({ sources }) });
const server = new WorkflowRpcServer(service, { input: process.stdin, output: process.stdout });
await server.start();
process.stderr.write('ended\n');
