// Sample data: two libraries, one of them with docs for several frameworks.
import type {
  DocPage,
  DocsNavigation,
  ExampleFile,
  ExampleTree,
  HomePage,
  LibraryCard,
  LibraryPage,
  PostSummary,
  Shell,
  SponsorPack,
} from '../src/api/generated'
import { Html } from '../src/api/html'

export const atlas: LibraryCard = {
  id: 'atlas',
  name: 'Acme Atlas',
  shortName: 'Atlas',
  to: '/atlas',
  tagline: 'Maps without tears',
  badge: 'beta',
  repo: 'acme/atlas',
  repoLinks: {
    host: 'GitHub',
    home: 'https://github.com/acme/atlas',
    issues: 'https://github.com/acme/atlas/issues',
    releases: 'https://github.com/acme/atlas/releases',
    discussions: 'https://github.com/acme/atlas/discussions',
  },
  defaultDocs: 'overview',
  devtools: false,
  latestVersion: 'v2',
  versions: [
    { name: 'v2', branch: 'main', docsRoot: 'docs', defaultDocs: 'overview', label: null, banner: null },
    { name: 'v1', branch: 'v1', docsRoot: 'docs', defaultDocs: 'overview', label: null, banner: null },
  ],
  frameworks: ['vue', 'react'],
  buildsOn: [],
  colorFrom: '#fb2c36',
  colorTo: '#fe9a00',
  textColor: '#fb2c36',
  bgStyle: '#fb2c36',
  textStyle: '#fb2c36',
  hueLight: '#c71f28',
  hueDark: '#ff6467',
  logo: 0,
  mark: 'data:image/svg+xml,%3Csvg/%3E',
  icon: '/_icons/atlas.svg?v=1',
  pattern: '/_patterns/atlas.svg?v=1',
  menu: [{ label: 'GitHub', to: 'https://github.com/acme/atlas', icon: 'github' }],
}

export const tools: LibraryCard = {
  ...atlas,
  id: 'tools',
  name: 'Acme Tools',
  to: '/tools',
  repo: 'acme/tools',
  frameworks: [],
  badge: null,
}

export const shell: Shell = {
  product: 'Sample',
  family: 'Acme',
  owner: 'Acme Limited',
  isStatic: false,
  title: 'Acme | Tools',
  description: 'Everything by Acme.',
  origin: 'https://acme.example',
  logos: '/_logos.svg?v=0',
  frameworkLogos: '/_frameworks.svg?v=0',
  libraries: [atlas, tools],
  groups: [{ id: 'all', label: 'Everything', libraries: ['atlas', 'tools'] }],
  frameworks: [
    { value: 'react', label: 'React', color: '#2b7fff', logo: 1 },
    { value: 'vue', label: 'Vue', color: '#00c950', logo: 2 },
  ],
  firstFramework: 'react',
  features: { accounts: true, blog: true, statistics: true, signIn: true, answers: false, upgrades: true },
  blogDescription: null, announcement: null,
  links: { about: '/about', funding: '/about#funding', learning: '/learn', consulting: '/consulting', privacy: '/privacy' },
  menu: [{ label: 'Support', to: '/support', icon: null, group: null }],
  social: [
    { label: 'X', to: 'https://x.example', icon: 'x' },
    { label: 'Chat', to: 'https://chat.example', icon: 'discord' },
  ],
  footer: [{ label: 'Blog', to: '/blog', icon: null, group: null }],
  promo: { rotationMs: 300_000, slots: [], partners: [], announcements: [], paused: [], externalScripts: [] },
  icons: { x: { path: 'M1 1h22', filled: true }, discord: { path: 'M2 2h20', filled: true } },
  packageManagers: ['npm', 'pnpm', 'yarn', 'bun'],
  look: {
    favicon: '/favicon.svg',
    faviconType: 'image/svg+xml',
    logo: null,
    wordmark: null,
    themeColors: ['#fdfcfa', '#141311'],
    gradient: null,
    css: '',
    stylesheet: null,
    fonts: null,
  },
  texts: {
    libraries: 'Open-source libraries',
    sponsors: 'Sponsors pay for our time.',
    landingSponsorsTitle: 'Free, thanks to sponsors',
    landingSponsors: '{library} is free to use.',
    communityTitle: 'Join the community',
    community: 'The maintainers are on {chat}.',
    footerNote: null,
  },
}

const link = (label: string, to: string, badge: string | null = null) => ({ label, to, badge })

export const config: DocsNavigation = {
  frameworks: ['react', 'vue'],
  users: [],
  sections: [
    {
      label: 'Start',
      collapsible: false,
      defaultCollapsed: false,
      children: [link('Overview', 'overview'), link('Paid', 'paid', 'pro')],
      frameworks: [
        { label: 'react', children: [link('Install', 'framework/react/install')] },
        { label: 'vue', children: [link('Install', 'framework/vue/install')] },
      ],
    },
    {
      label: 'Guides',
      collapsible: true,
      defaultCollapsed: true,
      children: [],
      frameworks: [
        {
          label: 'react',
          children: [link('Markers', 'framework/react/guides/markers'), link('Hooks', './framework/react/hooks.md#all')],
        },
        { label: 'vue', children: [link('Markers', 'framework/vue/guides/markers')] },
      ],
    },
    {
      label: 'Examples',
      collapsible: false,
      defaultCollapsed: false,
      children: [],
      frameworks: [{ label: 'react', children: [link('Basic', 'framework/react/examples/basic')] }],
    },
    {
      label: 'Community',
      collapsible: false,
      defaultCollapsed: false,
      children: [link('Forum', 'https://forum.example'), link('A heading', '#')],
      frameworks: [],
    },
    { label: 'Nothing', collapsible: false, defaultCollapsed: false, children: [], frameworks: [] },
  ],
}

export function page(title: string, body: string): DocPage {
  return {
    title,
    description: `About ${title}`,
    keywords: null,
    html: new Html(body),
    headings: [
      { id: 'one', text: 'One', level: 2, framework: null },
      { id: 'two', text: 'Two', level: 2, framework: null },
    ],
    toc: true,
    filePath: 'docs/overview.md',
    editUrl: 'https://github.com/acme/atlas/edit/main/docs/overview.md',
    versions: [
      { name: 'latest', to: '/atlas/latest/docs/overview', title: null },
      { name: 'v2', to: '/atlas/v2/docs/overview', title: null },
      { name: 'v1', to: '/atlas/v1/docs/start', title: 'Start' },
    ],
    frameworks: [],
    canonical: '/atlas/latest/docs/overview',
    digest: '0123456789abcdef',
    apiReference: false,
    extraStyles: false,
    feedback: true,
    updated: null,
    contributors: [],
  }
}

export function example(name: string, files: string[]): ExampleTree {
  const place = `acme/atlas/tree/main/examples/react/${name}`
  return {
    title: name,
    root: `examples/react/${name}`,
    files,
    start: files[0] ?? '',
    links: [{ label: 'GitHub', to: `https://github.com/${place}`, icon: 'github' }],
    sandbox: { editor: 'stackblitz', label: 'StackBlitz', embed: `https://stackblitz.com/github/${place}?embed=1` },
    zip: `/_examples/atlas/latest/react/${name}.zip`,
    versions: [],
    frameworks: [],
    canonical: `/atlas/latest/docs/framework/react/examples/${name}`,
  }
}

export function file(path: string): ExampleFile {
  const html = new Html(`<code>the text of ${path}</code>`)
  return { path, kind: 'code', language: 'tsx', size: 10, lines: 1, html, raw: `/_examples/${path}`, picture: null }
}

export const landing: LibraryPage = {
  id: 'atlas',
  description: 'Draws maps.',
  ogImage: null,
  drawing: null,
  demo: null,
  install: null,
  start: [{ framework: null, to: '/atlas/latest/docs/overview' }],
  menu: [],
  frameworks: ['react', 'vue'],
  migration: null,
  featureHighlights: [{ title: 'Folds', icon: { path: 'M3 3h18', filled: false }, description: 'Along the lines you choose.' }],
  featureList: ['Every scale'],
  samplesTitle: null,
  samples: [],
  trustedBy: ['Ann'],
  partners: [{ id: 'ben', name: 'Ben', href: 'https://ben.example', text: 'Prints maps.', libraries: [], note: null }],
  figures: { pages: 1234, examples: 1, frameworks: 2, versions: 2, updated: '2025-03-18' },
  downloads: null,
  callToAction: null,
}

export const pack: SponsorPack = { circles: [], others: [], asOf: null, becomeUrl: 'https://sponsors.example', marks: '/_partners.svg' }

export const home: HomePage = {
  keywords: 'maps, tools',
  claim: 'Maps and tools, made in the open.',
  emphasis: 'in the open',
  lede: 'Two libraries for people who draw maps.',
  proofs: [],
  libraries: [atlas, tools].map(({ id }) => ({ id, description: 'Draws maps.' })),
  featured: [],
  figures: { libraries: 2, frameworks: 2, versions: 3, pages: 12, examples: 4 },
  partners: [],
  partnerMarks: '/_partners.svg',
  sponsors: pack,
  buttons: [{ label: 'See the libraries', to: '#libraries', kind: 'primary', icon: null }],
  courses: [],
  newsletter: null,
}

export const post: PostSummary = {
  slug: 'one',
  title: 'One',
  published: '2025-01-02',
  excerpt: 'First',
  authors: [],
  libraries: [],
  cover: [],
  minutes: 1,
  draft: false,
}
