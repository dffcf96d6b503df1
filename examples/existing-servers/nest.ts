import {
  All,
  Controller,
  Get,
  Inject,
  Module,
  Req,
  Res,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpApplication, type NodeRequest, type NodeResponse } from 'toolwright';
import { StockModule } from './stock.module.ts';

const MCP = Symbol('mcp');

@Controller()
class ServerController implements BeforeApplicationShutdown {
  constructor(@Inject(MCP) private readonly mcp: McpApplication) {}

  @Get('health') health(): string {
    return 'ok';
  }

  @All('mcp') serve(@Req() request: NodeRequest, @Res() response: NodeResponse): Promise<void> {
    return this.mcp.node(request, response);
  }

  /** Before NestJS waits for its connections, which may be streams of clients. */
  beforeApplicationShutdown(): Promise<void> {
    return this.mcp.close();
  }
}

@Module({
  controllers: [ServerController],
  providers: [{ provide: MCP, useFactory: () => McpApplication.create(StockModule, { surface: 'auto' }) }],
})
class ServerModule {}

const server = await NestFactory.create(ServerModule);
server.enableShutdownHooks();
await server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(`stock at ${await server.getUrl()}/mcp`);
