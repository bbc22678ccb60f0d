import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: './db/logs/schema', out: './db/logs/migrations' });
