// Written by `make generate` from the functions in Python. Do not edit: `make check` refuses a stale copy.
import type { Html } from './html'

export interface Functions {
  'site.shell': { takes: null; gives: Shell; method: 'GET' }
  'catalog.library': { takes: LibraryRequest; gives: LibraryPage; method: 'GET' }
  'docs.config': { takes: ConfigRequest; gives: DocsConfig; method: 'GET' }
  'docs.page': { takes: DocRequest; gives: DocPage; method: 'GET' }
  'docs.framework': { takes: FrameworkRequest; gives: Alternative[]; method: 'GET' }
  'docs.nearest': { takes: NearestRequest; gives: NearPage[]; method: 'GET' }
  'repo.file': { takes: FileRequest; gives: string; method: 'GET' }
  'repo.directory': { takes: DirectoryRequest; gives: Entry[]; method: 'GET' }
  'example.files': { takes: ExampleRequest; gives: ExampleTree; method: 'GET' }
  'example.file': { takes: ExampleFileRequest; gives: ExampleFile; method: 'GET' }
  'example.list': { takes: ExamplesRequest; gives: ExampleList; method: 'GET' }
  'page.read': { takes: PageRequest; gives: SitePage; method: 'GET' }
  'consultants.list': { takes: null; gives: Consultant[]; method: 'GET' }
  'blog.list': { takes: null; gives: PostSummary[]; method: 'GET' }
  'blog.post': { takes: PostRequest; gives: Post; method: 'GET' }
  'home.page': { takes: null; gives: HomePage; method: 'GET' }
  'home.random': { takes: null; gives: number; method: 'GET' }
  'sponsors.pack': { takes: null; gives: SponsorPack; method: 'GET' }
  'dashboard.load': { takes: null; gives: Dashboard; method: 'GET' }
  'search.config': { takes: null; gives: SearchConfig; method: 'GET' }
  'search.results': { takes: SearchRequest; gives: Results; method: 'GET' }
  'theme.get': { takes: null; gives: Mode; method: 'GET' }
  'theme.set': { takes: ThemeRequest; gives: null; method: 'POST' }
}

export type Mode = 'light' | 'dark' | 'auto'

export type Badge = 'new' | 'beta' | 'alpha'

export type OutsideKind = 'google-publisher-tag' | 'carbon' | 'tag-manager'

export interface Shell {
  product: string
  family: string
  owner: string
  title: string
  description: string
  origin: string
  logos: string
  libraries: LibraryCard[]
  groups: GroupCard[]
  frameworks: FrameworkOption[]
  menu: NavLink[]
  social: NavLink[]
  footer: NavLink[]
  promo: Promotions
}

export interface LibraryCard {
  id: string
  name: string
  shortName: string
  to: string
  tagline: string
  badge: Badge | null
  repo: string
  docsRoot: string
  defaultDocs: string
  latestVersion: string
  versions: VersionOption[]
  frameworks: string[]
  colorFrom: string
  colorTo: string
  textColor: string
  bgStyle: string
  textStyle: string
  hueLight: string
  hueDark: string
  logo: number
  menu: NavLink[]
}

export interface VersionOption {
  name: string
  branch: string
}

export interface NavLink {
  label: string
  to: string
  icon: string | null
}

export interface GroupCard {
  id: string
  label: string
  libraries: string[]
}

export interface FrameworkOption {
  value: string
  label: string
  color: string
  logo: string | null
}

export interface Promotions {
  rotationMs: number
  slots: PromoSlot[]
  partners: PromoPartner[]
  outside: OutsideScript[]
}

export interface PromoSlot {
  id: string
  width: number
  height: number
  targeting: string
  refreshMs: number
}

export interface PromoPartner {
  name: string
  href: string
  text: string
  libraries: string[]
}

export interface OutsideScript {
  kind: OutsideKind
  name: string
  script: string
  account: string
}

export interface LibraryRequest {
  id: string
  version?: string | null
}

export interface LibraryPage {
  id: string
  description: string
  ogImage: string | null
  drawing: Html | null
  install: Html | null
  featureHighlights: FeatureHighlight[]
  featureList: string[]
  samplesTitle: string | null
  samples: CodeSample[]
  trustedBy: string[]
  partners: LibraryPartner[]
  figures: LibraryFigures | null
  callToAction: CallToAction | null
}

export interface FeatureHighlight {
  title: string
  icon: string
  description: string
}

export interface CodeSample {
  framework: string | null
  title: string
  html: Html
  example: string | null
  sandbox: Sandbox | null
}

export interface Sandbox {
  editor: 'stackblitz' | 'codesandbox'
  label: string
  embed: string
}

export interface LibraryPartner {
  name: string
  href: string
  text: string
  note: string | null
}

export interface LibraryFigures {
  pages: number
  examples: number
  frameworks: number
  versions: number
  updated: string | null
}

export interface CallToAction {
  title: string
  text: string
  label: string
  to: string
}

export interface ConfigRequest {
  repo: string
  docsRoot: string
  branch?: string | null
}

export interface DocsConfig {
  sections: DocsSection[]
  users: string[]
}

export interface DocsSection {
  label: string
  children: DocsLink[]
  frameworks: FrameworkLinks[]
  collapsible: boolean
  defaultCollapsed: boolean
}

export interface DocsLink {
  label: string
  to: string
  badge: string | null
}

export interface FrameworkLinks {
  label: string
  children: DocsLink[]
}

export interface DocRequest {
  repo: string
  branch?: string | null
  filePath?: string | null
  version?: string | null
}

export interface DocPage {
  title: string
  description: string
  keywords: string | null
  html: Html
  headings: DocHeading[]
  toc: boolean
  filePath: string
  editUrl: string
  updated: string | null
  contributors: string[]
  versions: Alternative[]
  frameworks: Alternative[]
  canonical: string
}

export interface DocHeading {
  id: string
  text: string
  level: number
  framework: string | null
}

export interface Alternative {
  name: string
  to: string
  title: string | null
}

export interface FrameworkRequest {
  library: string
  framework?: string | null
}

export interface NearestRequest {
  repo: string
  branch: string
  docsRoot: string
  path: string
  version?: string | null
}

export interface NearPage {
  title: string
  to: string
}

export interface FileRequest {
  repo: string
  branch?: string | null
  filePath?: string | null
}

export interface DirectoryRequest {
  repo: string
  startingPath: string
  branch?: string | null
}

export interface Entry {
  name: string
  path: string
  type: 'dir' | 'file'
  children: Entry[]
}

export interface ExampleRequest {
  library: string
  version: string
  framework: string
  name: string
}

export interface ExampleTree {
  title: string
  root: string
  files: string[]
  start: string
  links: Elsewhere[]
  sandbox: Sandbox
  zip: string
  versions: Alternative[]
  frameworks: Alternative[]
  canonical: string
}

export interface Elsewhere {
  label: string
  to: string
  icon: string
}

export interface ExampleFileRequest {
  library: string
  version: string
  framework: string
  name: string
  path?: string | null
}

export interface ExampleFile {
  path: string
  kind: 'code' | 'picture' | 'binary' | 'empty' | 'large'
  language: string
  size: number
  lines: number
  html: Html | null
  raw: string
  picture: string | null
}

export interface ExamplesRequest {
  library: string
  version: string
  framework?: string | null
}

export interface ExampleList {
  counts: FrameworkCount[]
  cards: ExampleCard[]
  source: string
  versions: Alternative[]
}

export interface FrameworkCount {
  framework: string
  examples: number
}

export interface ExampleCard {
  name: string
  title: string
  framework: string
  frameworks: string[]
  file: string
  files: number
  language: string
  preview: Html | null
}

export interface PageRequest {
  name: string
}

export interface SitePage {
  title: string
  description: string
  updated: string | null
  outline: boolean
  html: Html
  headings: DocHeading[]
}

export interface Consultant {
  name: string
  twitter: string
  website: string
  specialties: string[]
  img: string
}

export interface PostSummary {
  slug: string
  title: string
  published: string
  excerpt: string
  authors: string[]
  libraries: string[]
  minutes: number
  draft: boolean
}

export interface PostRequest {
  path: string
}

export interface Post {
  slug: string
  title: string
  description: string
  published: string
  updated: string | null
  authors: string[]
  libraries: string[]
  minutes: number
  draft: boolean
  image: string | null
  html: Html
  headings: DocHeading[]
  previous: PostLink | null
  next: PostLink | null
}

export interface PostLink {
  slug: string
  title: string
}

export interface HomePage {
  keywords: string
  claim: string
  emphasis: string
  lede: string
  libraries: Introduced[]
  figures: Figures
  partners: PartnerCard[]
  courses: CourseCard[]
  newsletter: NewsletterForm | null
}

export interface Introduced {
  id: string
  description: string
}

export interface Figures {
  libraries: number
  frameworks: number
  versions: number
  pages: number
  examples: number
}

export interface PartnerCard {
  name: string
  href: string
  text: string
  note: string | null
  libraries: string[]
}

export interface CourseCard {
  title: string
  by: string
  href: string
  library: string
  text: string
}

export interface NewsletterForm {
  name: string
  by: string
  href: string
  text: string
  action: string
  fields: HiddenField[]
}

export interface HiddenField {
  name: string
  value: string
}

export interface SponsorPack {
  circles: PackedSponsor[]
  others: ListedSponsor[]
  asked: string | null
  becomeUrl: string
}

export interface PackedSponsor {
  name: string
  linkUrl: string
  imageUrl: string | null
  x: number
  y: number
  r: number
}

export interface ListedSponsor {
  name: string
  linkUrl: string
}

export interface Dashboard {
  signedIn: boolean
}

export interface SearchConfig {
  appId: string
  apiKey: string
  index: string
  hosts: SearchHost[]
}

export interface SearchHost {
  url: string
  protocol: 'http' | 'https'
}

export interface SearchRequest {
  text: string
  library?: string
  framework?: string
  version?: string
  page?: number
}

export interface Results {
  total: number
  pages: number
  found: FoundPage[]
  libraries: Choice[]
  frameworks: Choice[]
}

export interface FoundPage {
  to: string
  title: Piece[]
  trail: string[]
  text: Piece[]
  library: string
  kind: string
}

export interface Piece {
  text: string
  found: boolean
}

export interface Choice {
  value: string
  count: number
}

export interface ThemeRequest {
  mode: Mode
}
