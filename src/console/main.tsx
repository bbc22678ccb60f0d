import { render } from 'preact';
import './console.css';

const root = document.getElementById('console');
if (root !== null) render(<p>Console</p>, root);
