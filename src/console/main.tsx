import { render } from 'preact';
import { DEPLOYMENTS } from '../core/deployment.ts';
import { App } from './app.tsx';
import './console.css';

const root = document.getElementById('console');
const deployment = DEPLOYMENTS.find((name) => name === root?.dataset['deployment']) ?? 'production';
if (root !== null) render(<App deployment={deployment} />, root);
