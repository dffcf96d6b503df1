import { describeNest } from './describe-nest.ts';

describeNest(11, 'express');
describeNest(11, 'fastify');
