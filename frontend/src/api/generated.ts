// Written by `make generate` from the functions in Python. Do not edit: `make check` refuses a stale copy.
import type { Html } from './html'

export interface Functions {
  'blog.list': { input: null; output: PostSummary[]; method: 'GET' }
  'blog.post': { input: PostRequest; output: Post; method: 'GET' }
  'maintenance.code': { input: null; output: CodeCheckState; method: 'GET' }
  'docs.names': { input: CodeNamesRequest; output: CodeNames; method: 'GET' }
  'account.options': { input: null; output: SignInOptions; method: 'GET' }
  'dashboard.load': { input: null; output: Dashboard; method: 'GET' }
  'account.exchange': { input: ExchangeRequest; output: ExchangeAnswer; method: 'POST' }
  'account.publish': { input: PublishRequest; output: string | null; method: 'POST' }
  'sessions.end': { input: EndSessionsRequest; output: number; method: 'POST' }
  'account.delete': { input: DeletionRequest; output: null; method: 'POST' }
  'maintenance.deliveries': { input: DeliveryRequest; output: DeliveryReport; method: 'GET' }
  'docs.config': { input: ConfigRequest; output: DocsNavigation; method: 'GET' }
  'docs.home': { input: DocsHomeRequest; output: string; method: 'GET' }
  'docs.page': { input: DocRequest; output: DocPage; method: 'GET' }
  'docs.changed': { input: ChangedRequest; output: PageState[]; method: 'POST' }
  'docs.framework': { input: FrameworkRequest; output: Alternative[]; method: 'GET' }
  'docs.nearest': { input: NearestRequest; output: MissingPage; method: 'GET' }
  'catalog.nearest': { input: NearestLibraryRequest; output: NearPage[]; method: 'GET' }
  'docs.arrival': { input: ArrivalRequest; output: ArrivalNotice | null; method: 'GET' }
  'example.files': { input: ExampleRequest; output: ExampleTree; method: 'GET' }
  'example.file': { input: ExampleFileRequest; output: ExampleFile; method: 'GET' }
  'example.list': { input: ExamplesRequest; output: ExampleList; method: 'GET' }
  'figures.library': { input: FiguresRequest; output: OpenSourceFigures; method: 'GET' }
  'figures.family': { input: null; output: FamilyFigures; method: 'GET' }
  'repo.file': { input: FileRequest; output: string; method: 'GET' }
  'repo.directory': { input: DirectoryRequest; output: DirectoryEntry[]; method: 'GET' }
  'home.page': { input: null; output: HomePage; method: 'GET' }
  'home.random': { input: null; output: number; method: 'GET' }
  'sponsors.pack': { input: null; output: SponsorPack; method: 'GET' }
  'catalog.library': { input: LibraryRequest; output: LibraryPage; method: 'GET' }
  'previews.view': { input: PreviewRequest; output: PreviewView; method: 'GET' }
  'site.shell': { input: null; output: Shell; method: 'GET' }
  'releases.find': { input: ReleaseRequest; output: ReleaseVersion | null; method: 'GET' }
  'releases.list': { input: ReleasesRequest; output: ReleaseList; method: 'GET' }
  'releases.page': { input: ReleaseRequest; output: ShownRelease; method: 'GET' }
  'releases.changes': { input: ChangesRequest; output: ReleaseChanges; method: 'GET' }
  'releases.difference': { input: DifferenceRequest; output: PageDifferenceView; method: 'GET' }
  'maintenance.content': { input: null; output: ContentState; method: 'GET' }
  'maintenance.sync': { input: SyncRequest; output: null; method: 'POST' }
  'maintenance.links': { input: null; output: LinkReport; method: 'GET' }
  'maintenance.searches': { input: null; output: SearchFigures; method: 'GET' }
  'maintenance.questions': { input: null; output: QuestionReport; method: 'GET' }
  'feedback.queue': { input: FeedbackRequest; output: FeedbackQueue; method: 'GET' }
  'feedback.move': { input: FeedbackStatusRequest; output: number; method: 'POST' }
  'maintenance.statistics': { input: null; output: StatisticsImport; method: 'GET' }
  'maintenance.activity': { input: null; output: ActivityEvent[]; method: 'GET' }
  'maintenance.connections': { input: null; output: ConnectionCounts; method: 'GET' }
  'overrides.list': { input: null; output: OverrideList; method: 'GET' }
  'overrides.sponsor': { input: SponsorRequest; output: null; method: 'POST' }
  'overrides.promotion': { input: PromotionRequest; output: null; method: 'POST' }
  'overrides.remove': { input: RemovalRequest; output: null; method: 'POST' }
  'page.read': { input: PageRequest; output: SitePage; method: 'GET' }
  'search.config': { input: null; output: SearchConfig; method: 'GET' }
  'search.results': { input: SearchRequest; output: SearchResultsView; method: 'GET' }
  'npm.comparison': { input: ComparisonRequest; output: ComparisonChart; method: 'GET' }
  'npm.choices': { input: null; output: ComparisonChoices; method: 'GET' }
  'npm.suggestions': { input: SuggestionRequest; output: PackageSuggestions; method: 'GET' }
  'npm.request': { input: PackageRequest; output: ImportStatus; method: 'POST' }
  'npm.versions': { input: PackageRequest; output: VersionAdoption; method: 'GET' }
  'theme.get': { input: null; output: Mode; method: 'GET' }
  'theme.set': { input: ThemeRequest; output: null; method: 'POST' }
  'upgrade.plan': { input: UpgradeRequest; output: UpgradePage; method: 'GET' }
}

export type Mode = 'light' | 'dark' | 'auto'

export type Badge = 'new' | 'beta' | 'alpha'

export type ExternalScriptKind = 'google-publisher-tag' | 'carbon' | 'tag-manager'

export type RangeName = '7-days' | '30-days' | '90-days' | '180-days' | '365-days' | '730-days' | '1825-days' | 'all-time'

export type BinUnit = 'daily' | 'weekly' | 'monthly' | 'yearly'

export type Transform = 'none' | 'normalize-y'

export type Measure = 'downloads' | 'cumulative' | 'share' | 'year-over-year' | 'stars'

export type Alignment = 'calendar' | 'first-release'

export type Scale = 'linear' | 'log'

export type Fix = 'none' | 'zero'

export type BinChoice = 'all' | 'complete'

export type ItemKind = 'comparison' | 'bookmark' | 'reading' | 'note' | 'preference'

export type Provider = 'email' | 'github' | 'google'

export type Role = 'visitor' | 'maintainer'

export type FeedbackStatus = 'open' | 'done' | 'spam'

export type DeliveryOutcome = 'push' | 'tag' | 'pull_request' | 'release' | 'star' | 'ping' | 'other_branch' | 'other_repository' | 'unused_event' | 'no_change' | 'turned_off' | 'no_secret' | 'wrong_signature' | 'too_large' | 'too_slow' | 'invalid' | 'no_mirror' | 'not_stored'

export type DeliveryResult = 'accepted' | 'ignored' | 'refused' | 'failed'

export type SyncOutcome = 'served' | 'no_change' | 'no_commit' | 'failed'

export type ShownPeriod = 'planned' | 'shown' | 'over'

export type SpecKind = 'range' | 'tag' | 'workspace' | 'catalog' | 'npm' | 'file' | 'url' | 'other'

export interface PostSummary {
  slug: string
  title: string
  published: string
  excerpt: string
  authors: string[]
  libraries: string[]
  cover: string[]
  minutes: number
  draft: boolean
  tags?: PostTag[]
}

export interface PostTag {
  name: string
  slug: string
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
  cover: string[]
  minutes: number
  draft: boolean
  image: string | null
  html: Html
  extraStyles: boolean
  headings: DocHeading[]
  previous: PostLink | null
  next: PostLink | null
  tags?: PostTag[]
}

export interface DocHeading {
  id: string
  text: string
  level: number
  framework: string | null
  deprecated?: string
}

export interface PostLink {
  slug: string
  title: string
}

export interface CodeCheckState {
  isOn: boolean
  hasRegistry: boolean
  versions: CheckedVersion[]
  findingCount: number
  pages: PageFindings[]
  weeks: CodeWeek[]
}

export interface CheckedVersion {
  library: string
  libraryId: string
  version: string
  checkedAt: string | null
  packages: string[]
  pages: number
  blocks: number
  right: number
  wrong: number
  notCheckable: number
  ignored: number
  problems: string[]
}

export interface PageFindings {
  library: string
  version: string
  title: string
  to: string
  file: string
  findings: CodeFinding[]
}

export interface CodeFinding {
  key: string
  kind: 'syntax' | 'wrong_import' | 'missing_export' | 'unknown_property' | 'wrong_argument' | 'missing_property' | 'deprecated'
  line: number
  code: string
  sentence: string
  edit: string | null
}

export interface CodeWeek {
  library: string
  version: string
  week: string
  checked: number
  right: number
  wrong: number
  notCheckable: number
  ignored: number
}

export interface CodeNamesRequest {
  library: string
  version: string
  path: string
  block: number
}

export interface CodeNames {
  length: number
  names: CodeName[]
  symbols: CodeSymbol[]
  missingImports: string[]
}

export interface CodeName {
  start: number
  length: number
  symbol: number
}

export interface CodeSymbol {
  name: string
  kind: string
  signature: string
  owner?: string
  summary?: string
  since?: string
  deprecated?: boolean
  deprecation?: string
  reference?: string
  options?: SymbolOption[]
}

export interface SymbolOption {
  name: string
  type: string
  summary?: string
  required?: boolean
  deprecated?: boolean
  deprecation?: string
}

export interface SignInOptions {
  mail: boolean
  outbox: boolean
  providers: SignInProvider[]
}

export interface SignInProvider {
  id: Provider
  name: string
}

export interface Dashboard {
  account: AccountDetails | null
}

export interface AccountDetails {
  id: string
  name: string
  email: string | null
  role: Role
  identities: AccountIdentity[]
  sessions: AccountSession[]
}

export interface AccountIdentity {
  provider: Provider
  label: string
}

export interface AccountSession {
  id: string
  provider: Provider
  device: string
  createdAt: string
  lastSeenAt: string
  isCurrent: boolean
}

export interface ExchangeRequest {
  changes: ChangeRequest[]
  since: number
  owner?: string | null
}

export interface ChangeRequest {
  kind: ItemKind
  key: string
  changedMs: number
  value?: string | null
}

export interface ExchangeAnswer {
  owner: string
  exchange: Exchange
}

export interface Exchange {
  revision: number
  complete: boolean
  items: SavedItem[]
  dropped: string[]
}

export interface SavedItem {
  kind: ItemKind
  key: string
  value: string | null
  changedMs: number
  slug: string | null
}

export interface PublishRequest {
  key: string
  public: boolean
}

export interface EndSessionsRequest {
  ids?: string[] | null
}

export interface DeletionRequest {
  confirmation: string
}

export interface DeliveryRequest {
  result: 'all' | 'accepted' | 'ignored' | 'refused' | 'failed'
  repo: string
}

export interface DeliveryReport {
  now: string
  hasSecret: boolean
  mirrored: boolean
  refreshS: number
  addresses: WebhookAddress[]
  repositories: string[]
  deliveries: DeliveryItem[]
}

export interface WebhookAddress {
  host: string
  label: string
  url: string
}

export interface DeliveryItem {
  key: string
  at: string
  host: string
  id: string
  event: string
  repo: string
  ref: string
  commit: string
  status: number
  result: DeliveryResult
  outcome: DeliveryOutcome
  detail: string
  count: number
  earlier: number
  sync: SyncOutcome | null
  syncCommit: string
  syncAfterS: number | null
  syncReason: string
}

export interface ConfigRequest {
  repo: string
  docsRoot: string
  branch?: string | null
}

export interface DocsNavigation {
  sections: DocsSection[]
  users: string[]
  frameworks: string[]
  release?: string
  deprecated?: Record<string, string>
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

export interface DocsHomeRequest {
  library: string
  version: string
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
  editUrl: string | null
  updated: string | null
  contributors: string[]
  versions: Alternative[]
  frameworks: Alternative[]
  canonical: string
  digest: string
  feedback: boolean
  apiReference: boolean
  extraStyles: boolean
  marks?: PageMarkView[]
  sectionMarks?: boolean
  checkedBlocks?: CheckedBlocks[]
}

export interface Alternative {
  name: string
  to: string
  title: string | null
}

export interface PageMarkView {
  label: string
  older: string
  newer: string
}

export interface CheckedBlocks {
  checked: number
  blocks: number
  package: string
  release: string
  day: string
}

export interface ChangedRequest {
  pages: KnownPage[]
}

export interface KnownPage {
  address: string
  digest: string
}

export interface PageState {
  address: string
  state: 'same' | 'changed' | 'missing' | 'unknown'
  updated: string | null
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

export interface MissingPage {
  nearest: NearPage[]
  versions: Alternative[]
}

export interface NearPage {
  title: string
  to: string
}

export interface NearestLibraryRequest {
  word: string
}

export interface ArrivalRequest {
  origin: string
  library?: string | null
  version?: string | null
  path?: string
}

export interface ArrivalNotice {
  text: string
  lead: string
  links: NearPage[]
  byFramework: boolean
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
  links: ExternalLink[]
  sandbox: Sandbox | null
  zip: string
  versions: Alternative[]
  frameworks: Alternative[]
  canonical: string
}

export interface ExternalLink {
  label: string
  to: string
  icon: string
}

export interface Sandbox {
  editor: 'stackblitz' | 'codesandbox'
  label: string
  embed: string
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
  total: number
  cards: ExampleCard[]
  source: string | null
  versions: Alternative[]
  isPage: boolean
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

export interface FiguresRequest {
  id: string
}

export interface OpenSourceFigures {
  stars: Figure | null
  contributors: Figure | null
  dependents: Figure | null
  downloadsTotal: Figure | null
  downloadsPerDay: Figure | null
}

export interface Figure {
  value: number
  asOf: string
  isOld: boolean
}

export interface FamilyFigures {
  stars: Figure | null
  contributorsPerRepository: Figure | null
  dependentsPerPackage: Figure | null
  downloadsTotal: Figure | null
  downloadsPerDay: Figure | null
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

export interface DirectoryEntry {
  name: string
  path: string
  type: 'dir' | 'file'
  children: DirectoryEntry[]
}

export interface HomePage {
  keywords: string
  claim: string
  emphasis: string
  lede: string
  libraries: LibraryIntroduction[]
  proofs: Proof[]
  featured: string[]
  figures: ContentCounts
  partners: HomePartner[]
  partnerMarks: string
  sponsors: SponsorPack
  buttons: HomeButton[]
  courses: Course[]
  newsletter: Newsletter | null
}

export interface LibraryIntroduction {
  id: string
  description: string
}

export interface Proof {
  id: string
  title: string
  code: Html
  drawing: Html
}

export interface ContentCounts {
  libraries: number
  frameworks: number
  versions: number
  pages: number
  examples: number
}

export interface HomePartner {
  id: string
  name: string
  href: string
  text: string
  note: string | null
  mark: number
}

export interface SponsorPack {
  circles: PackedSponsor[]
  others: ListedSponsor[]
  asOf: string | null
  becomeUrl: string | null
  marks: string
}

export interface PackedSponsor {
  name: string
  linkUrl: string
  imageUrl: string | null
  mark: number | null
  x: number
  y: number
  r: number
}

export interface ListedSponsor {
  name: string
  linkUrl: string
}

export interface HomeButton {
  label: string
  to: string
  kind: 'primary' | 'plain'
  icon: string | null
}

export interface Course {
  title: string
  by: string
  href: string
  library: string
  text: string
}

export interface Newsletter {
  name: string
  by: string
  href: string
  text: string
  action: string
  fields: FormField[]
}

export interface FormField {
  name: string
  value: string
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
  demo: Html | null
  install: Html | null
  start: FrameworkTarget[]
  menu: LandingLink[]
  frameworks: string[]
  migration: MigrationGuide | null
  featureHighlights: Highlight[]
  featureList: string[]
  samplesTitle: string | null
  samples: CodeSample[]
  trustedBy: string[]
  partners: Partner[]
  figures: LibraryFigures | null
  downloads: LibraryDownloads | null
  callToAction: LandingAction | null
}

export interface FrameworkTarget {
  framework: string | null
  to: string
}

export interface LandingLink {
  label: string
  icon: string
  targets: FrameworkTarget[]
}

export interface MigrationGuide {
  version: string
  targets: FrameworkTarget[]
}

export interface Highlight {
  title: string
  icon: IconShape
  description: string
}

export interface IconShape {
  path: string
  filled: boolean
}

export interface CodeSample {
  framework: string | null
  title: string
  html: Html
  example: string | null
  sandbox: Sandbox | null
}

export interface Partner {
  id: string
  name: string
  href: string
  text: string
  libraries: string[]
  note: string | null
}

export interface LibraryFigures {
  pages: number
  examples: number
  frameworks: number
  versions: number
  updated: string | null
}

export interface LibraryDownloads {
  packages: number
  lastWeek: number
  total: number
  since: string
  lastDay: string
  query: string
}

export interface LandingAction {
  title: string
  text: string
  label: string
  targets: FrameworkTarget[]
}

export interface PreviewRequest {
  library: string
  number: number
}

export interface PreviewView {
  facts: PreviewFacts
  updated: string
  pages: ListedChange[]
  unlisted: number
  findings: PreviewFinding[]
}

export interface PreviewFacts {
  number: number
  title: string
  author: string
  commit: string
  state: 'open' | 'draft' | 'closed' | 'merged'
  url: string | null
  changed: number
  base: string
}

export interface ListedChange {
  change: 'new' | 'changed' | 'moved' | 'removed'
  title: string
  path: string
  to: string
  before: string | null
  difference: Html | null
}

export interface PreviewFinding {
  file: string
  line: string
  text: string
  isNew: boolean
  code: string
}

export interface Shell {
  product: string
  family: string
  owner: string
  title: string
  description: string
  origin: string
  logos: string
  frameworkLogos: string
  isStatic: boolean
  libraries: LibraryCard[]
  groups: Group[]
  frameworks: FrameworkOption[]
  firstFramework: string | null
  features: SiteFeatures
  blogDescription: string | null
  links: SiteLinks
  menu: SiteMenuEntry[]
  social: NavLink[]
  footer: SiteMenuEntry[]
  promo: Promotions
  announcement: ShownAnnouncement | null
  texts: Texts
  icons: Record<string, IconShape>
  look: Look
  packageManagers: string[]
}

export interface LibraryCard {
  id: string
  name: string
  shortName: string
  to: string
  tagline: string
  badge: Badge | null
  repo: string
  repoLinks: RepositoryLinks | null
  defaultDocs: string
  devtools: boolean
  latestVersion: string
  versions: LibraryVersion[]
  frameworks: string[]
  buildsOn: string[]
  colorFrom: string
  colorTo: string
  textColor: string
  bgStyle: string
  textStyle: string
  hueLight: string
  hueDark: string
  logo: number
  mark: string
  icon: string
  pattern: string
  menu: NavLink[]
}

export interface RepositoryLinks {
  host: string
  home: string
  issues: string
  releases: string
  discussions: string | null
}

export interface LibraryVersion {
  name: string
  branch: string
  docsRoot: string
  defaultDocs: string
  label: string | null
  banner: 'unreleased' | 'unmaintained' | 'none' | null
}

export interface NavLink {
  label: string
  to: string
  icon: string | null
}

export interface Group {
  id: string
  label: string
  libraries: string[]
}

export interface FrameworkOption {
  value: string
  label: string
  color: string
  logo: number
}

export interface SiteFeatures {
  accounts: boolean
  blog: boolean
  statistics: boolean
  signIn: boolean
  answers: boolean
  upgrades: boolean
}

export interface SiteLinks {
  about: string | null
  funding: string | null
  learning: string | null
  consulting: string | null
  privacy: string | null
}

export interface SiteMenuEntry {
  label: string
  to: string
  icon: string | null
  group: string | null
}

export interface Promotions {
  rotationMs: number
  slots: PromoSlot[]
  partners: Partner[]
  announcements: Announcement[]
  paused: string[]
  externalScripts: ExternalScript[]
}

export interface PromoSlot {
  id: string
  width: number
  height: number
  targeting: string
  refreshMs: number
}

export interface Announcement {
  slots: string[]
  title: string
  text: string
  href: string
}

export interface ExternalScript {
  kind: ExternalScriptKind
  name: string
  script: string
  account: string
}

export interface ShownAnnouncement {
  key: string
  text: string
  href: string | null
}

export interface Texts {
  libraries: string
  sponsors: string
  landingSponsorsTitle: string
  landingSponsors: string
  communityTitle: string
  community: string
  footerNote: string | null
}

export interface Look {
  favicon: string
  faviconType: string
  logo: HeaderMark | null
  wordmark: HeaderMark | null
  themeColors: string[]
  gradient: string[] | null
  css: string
  stylesheet: string | null
  fonts: FontLook | null
}

export interface HeaderMark {
  light: string
  dark: string | null
  width: number
  height: number
}

export interface FontLook {
  faces: string
  preload: string | null
  usesEngine: boolean
}

export interface ReleaseRequest {
  library: string
  number: string
}

export interface ReleaseVersion {
  version: LibraryVersion
  day: string
  numbers: FrameworkNumber[]
  preview?: PreviewFacts | null
}

export interface FrameworkNumber {
  framework: string
  number: string
}

export interface ReleasesRequest {
  library: string
}

export interface ReleaseList {
  newest: string | null
  majors: MajorReleases[]
  hasNotes: boolean
}

export interface MajorReleases {
  framework: string | null
  major: number
  minors: MinorReleases[]
}

export interface MinorReleases {
  name: string
  releases: ListedRelease[]
}

export interface ListedRelease {
  number: string
  day: string
  summary?: string
}

export interface ShownRelease {
  number: string
  day: string
  framework: string | null
  tag: string
  tagUrl: string
  commit: string
  commitUrl: string
  packages: PackageNumber[]
  notes: ShownNotes | null
  previous: string | null
  next: string | null
  docs: ComparedDocs | null
  docsCount: number
}

export interface PackageNumber {
  name: string
  number: string
}

export interface ShownNotes {
  title: string
  summary: string
  html: Html
  extraStyles: boolean
  sorted: boolean
  source: 'host' | 'changelog'
  sourceName: string
  sourceUrl: string
  cut: boolean
}

export interface ComparedDocs {
  added: ComparedPage[]
  changed: ComparedPage[]
  moved: ComparedPage[]
  removed: ComparedPage[]
}

export interface ComparedPage {
  title: string
  path: string
  before: string | null
}

export interface ChangesRequest {
  library: string
  older: string
  newer: string
}

export interface ReleaseChanges {
  olderDay: string
  newerDay: string | null
  docs: ComparedDocs
  breaking?: BreakingNotes[]
}

export interface BreakingNotes {
  number: string
  html: Html
}

export interface DifferenceRequest {
  library: string
  older: string
  newer: string
  path: string
}

export interface PageDifferenceView {
  title: string
  html: Html
  older: ComparedVersion | null
  newer: ComparedVersion | null
  changed: number
  added: number
  removed: number
  extraStyles: boolean
}

export interface ComparedVersion {
  to: string
  path: string
  day: string | null
}

export interface ContentState {
  mirrored: boolean
  source: string
  versions: VersionState[]
}

export interface VersionState {
  library: string
  version: string
  repo: string
  branch: string
  commit: string | null
  history: string | null
  committedAt: string | null
  pages: number
  syncedAt: string | null
  failedAt: string | null
  failure: string
}

export interface SyncRequest {
  repo: string
  branch: string
}

export interface LinkReport {
  days: MissedDayCount[]
  missing: MissedAddress[]
  redirects: MissedAddress[]
  checks: boolean
  checkedAt: string | null
  checkedPages: number
  checkedLinks: number
  faultCount: number
  faults: ContentFault[]
}

export interface MissedDayCount {
  day: string
  missing: number
  redirects: number
}

export interface MissedAddress {
  path: string
  count: number
  referrers: Referrer[]
}

export interface Referrer {
  name: string
  count: number
}

export interface ContentFault {
  file: string
  place: string
  reason: string
}

export interface SearchFigures {
  days: SearchDay[]
  texts: QueryCounts[]
  withoutResult: QueryCounts[]
  places: PositionClicks[]
}

export interface SearchDay {
  day: string
  searches: number
  withoutResult: number
  clicks: number
}

export interface QueryCounts {
  text: string
  searches: number
  withoutResult: number
  clicks: number
  place: number | null
}

export interface PositionClicks {
  place: number
  clicks: number
}

export interface QuestionReport {
  questions: QuestionItem[]
  usedQuestions: number
  maxQuestions: number
  usedCharacters: number
  maxCharacters: number
}

export interface QuestionItem {
  day: string
  text: string
  outcome: string
  sentences: number
  hidden: number
}

export interface FeedbackRequest {
  view: 'open' | 'outdated' | 'done' | 'spam'
}

export interface FeedbackQueue {
  items: FeedbackItem[]
  votes: PageVotes[]
}

export interface FeedbackItem {
  id: string
  at: string
  page: string
  title: string
  library: string
  heading: string
  quote: string
  helpful: boolean | null
  note: string
  textChanged: boolean
  issue: string
}

export interface PageVotes {
  library: string
  version: string
  path: string
  title: string
  yes: number
  no: number
  notes: number
}

export interface FeedbackStatusRequest {
  ids: string[]
  status: FeedbackStatus
}

export interface StatisticsImport {
  enabled: boolean
  packages: PackageCoverage[]
  waiting: string[]
  notFound: string[]
  withVersions: number
  lastSuccessAt: string | null
  lastFailure: string
  lastFailureAt: string | null
  pausedUntil: string | null
}

export interface PackageCoverage {
  name: string
  years: number
  allYears: number
  complete: boolean
  hasFile: boolean
}

export interface ActivityEvent {
  at: string
  action: string
  by: string
  detail: string
}

export interface ConnectionCounts {
  connections: number
  streams: number
  ofAllWorkers: boolean
}

export interface OverrideList {
  sponsors: SponsorOverride[]
  promotions: PromotionOverride[]
  slots: string[]
}

export interface SponsorOverride {
  id: string
  sponsor: SponsorFields
}

export interface SponsorFields {
  name: string
  linkUrl: string
  imageUrl: string
  login: string
  weight: number | null
  hidden: boolean
}

export interface PromotionOverride {
  id: string
  promotion: PromotionFields
  period: ShownPeriod
}

export interface PromotionFields {
  slots: string[]
  title: string
  text: string
  href: string
  starts: string
  ends: string
  isPause: boolean
}

export interface SponsorRequest {
  id: string
  sponsor: SponsorFields
}

export interface PromotionRequest {
  id: string
  promotion: PromotionFields
}

export interface RemovalRequest {
  id: string
}

export interface PageRequest {
  name: string
}

export interface SitePage {
  title: string
  description: string
  updated: string | null
  outline: boolean
  picture: Html | null
  links: ProseLink[]
  sections: ('text' | 'support-options' | 'consultants' | 'courses' | 'library-links' | 'third-party-scripts')[]
  consultants: Consultant[]
  courses: Course[]
  html: Html
  extraStyles: boolean
  headings: DocHeading[]
}

export interface ProseLink {
  label: string
  to: string
  text: string
}

export interface Consultant {
  name: string
  twitter: string
  website: string
  specialties: string[]
  img: string
}

export interface SearchConfig {
  appId: string
  apiKey: string
  index: string
  hosts: SearchHost[]
  examples: string[]
  ignoredWords: string[]
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

export interface SearchResultsView {
  total: number
  pages: number
  found: ResultPage[]
  others: ResultPage[]
  libraries: FacetChoice[]
  frameworks: FacetChoice[]
}

export interface ResultPage {
  to: string
  title: TextFragment[]
  trail: string[]
  text: TextFragment[]
  library: string
  kind: string
  answer: AnswerFragments | null
  deprecated?: string
  deprecatedPage?: string
}

export interface TextFragment {
  text: string
  found: boolean
}

export interface AnswerFragments {
  text: TextFragment[]
  code: TextFragment[]
}

export interface FacetChoice {
  value: string
  count: number
}

export interface ComparisonRequest {
  search: string
  packages?: string
}

export interface ComparisonChart {
  comparison: Comparison
  query: string
  title: string
  axis: BinAxis
  valueAxis: ValueAxis
  series: ChartSeries[]
  outages: Outage[]
  lastDay: string | null
  asOf: string | null
  source: string
  sample: boolean
  summary: string
  indexable: boolean
}

export interface Comparison {
  groups: PackageGroup[]
  range: RangeName
  bin: BinUnit
  transform: Transform
  baseline: string[]
  showBaseline: boolean
  normalizeBaseline: boolean
  facetX: 'pkg' | null
  facetY: 'pkg' | null
  height: number
  bins: BinChoice
  measure: Measure
  align: Alignment
  scale: Scale
  fix: Fix
  withoutMirrors: boolean
}

export interface PackageGroup {
  packages: GroupPackage[]
  color: string | null
}

export interface GroupPackage {
  name: string
  hidden: boolean
}

export interface BinAxis {
  unit: BinUnit
  first: string
  count: number
  aligned: boolean
  partial: number[]
}

export interface ValueAxis {
  title: string
  kind: 'count' | 'percent' | 'signed-percent' | 'index'
}

export interface ChartSeries {
  name: string
  label: string
  packages: GroupPackage[]
  color: string
  dash: string
  baseline: boolean
  status: 'ready' | 'hidden' | 'waiting' | 'importing' | 'not-found' | 'not-imported' | 'no-data'
  message: string
  values: (number | null)[]
  gaps: number[]
  fixed: number[]
  figures: SeriesFigures | null
}

export interface SeriesFigures {
  total: number
  lastBin: number | null
  lastWeek: number | null
  weekChange: number | null
  yearChange: number | null
  yearlyGrowth: number | null
  share: number | null
  stars: number | null
}

export interface Outage {
  first: string
  last: string
  package: string
  text: string
}

export interface ComparisonChoices {
  categories: ComparisonCategory[]
  indexes: ComparisonCategory[]
  hasStars: boolean
  hasRegistry: boolean
}

export interface ComparisonCategory {
  title: string
  groups: PackageGroup[]
  query: string
}

export interface SuggestionRequest {
  text: string
}

export interface PackageSuggestions {
  packages: PackageSuggestion[]
  complete: boolean
}

export interface PackageSuggestion {
  name: string
  description: string
  stored: boolean
}

export interface PackageRequest {
  name: string
}

export interface ImportStatus {
  name: string
  state: 'waiting' | 'importing' | 'complete' | 'not-found'
  message: string
  ahead: number
}

export interface VersionAdoption {
  package: string
  weeks: string[]
  majors: MajorVersion[]
  mirrorFloor: number | null
  weekTotal: number
}

export interface MajorVersion {
  major: string
  shares: (number | null)[]
}

export interface ThemeRequest {
  mode: Mode
}

export interface UpgradeRequest {
  packages?: string
}

export interface UpgradePage {
  family: FamilyPackages[]
  libraries: LibraryUpgrade[]
}

export interface FamilyPackages {
  library: string
  names: string[]
}

export interface LibraryUpgrade {
  library: string
  packages: InstalledPackage[]
  installed: DocsVersion | null
  current: DocsVersion
  isCurrent: boolean
  guides: UpgradeGuide[]
  missing: string[]
}

export interface InstalledPackage {
  name: string
  spec: string
  kind: SpecKind
  number: string | null
}

export interface DocsVersion {
  name: string
  title: string
}

export interface UpgradeGuide {
  version: string
  to: string
}
