import './styles/tokens.css';
import './styles/base.css';
import './styles/page.css';
import { mount } from 'svelte';
import App from './App.svelte';

const theme = localStorage.getItem('csp-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

mount(App, { target: document.body });
