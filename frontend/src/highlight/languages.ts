// The languages of the docs' code blocks and of example files, and their grammars.
import angularHtml from 'shiki/langs/angular-html.mjs'
import angularTs from 'shiki/langs/angular-ts.mjs'
import apache from 'shiki/langs/apache.mjs'
import astro from 'shiki/langs/astro.mjs'
import css from 'shiki/langs/css.mjs'
import diff from 'shiki/langs/diff.mjs'
import docker from 'shiki/langs/docker.mjs'
import dotenv from 'shiki/langs/dotenv.mjs'
import glimmerJs from 'shiki/langs/glimmer-js.mjs'
import glimmerTs from 'shiki/langs/glimmer-ts.mjs'
import graphql from 'shiki/langs/graphql.mjs'
import handlebars from 'shiki/langs/handlebars.mjs'
import html from 'shiki/langs/html.mjs'
import javascript from 'shiki/langs/javascript.mjs'
import json from 'shiki/langs/json.mjs'
import jsonc from 'shiki/langs/jsonc.mjs'
import jsx from 'shiki/langs/jsx.mjs'
import markdown from 'shiki/langs/markdown.mjs'
import marko from 'shiki/langs/marko.mjs'
import mermaid from 'shiki/langs/mermaid.mjs'
import nginx from 'shiki/langs/nginx.mjs'
import prisma from 'shiki/langs/prisma.mjs'
import python from 'shiki/langs/python.mjs'
import scss from 'shiki/langs/scss.mjs'
import shellscript from 'shiki/langs/shellscript.mjs'
import sql from 'shiki/langs/sql.mjs'
import svelte from 'shiki/langs/svelte.mjs'
import toml from 'shiki/langs/toml.mjs'
import tsx from 'shiki/langs/tsx.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import vue from 'shiki/langs/vue.mjs'
import xml from 'shiki/langs/xml.mjs'
import yaml from 'shiki/langs/yaml.mjs'
import type { LanguageRegistration } from 'shiki/core'

type Language = readonly [grammar: LanguageRegistration[], name: string, words: readonly string[]]

/** A grammar, its own name, and its names in code blocks and as file extensions. */
const LANGUAGES: readonly Language[] = [
  [angularHtml, 'angular-html', ['angular-html']],
  [angularTs, 'angular-ts', ['angular-ts']],
  [apache, 'apache', ['apache', 'htaccess']],
  [astro, 'astro', ['astro']],
  [css, 'css', ['css']],
  [diff, 'diff', ['diff', 'patch']],
  [docker, 'docker', ['docker', 'dockerfile']],
  [dotenv, 'dotenv', ['dotenv', 'env']],
  [glimmerJs, 'glimmer-js', ['gjs', 'glimmer-js']],
  [glimmerTs, 'glimmer-ts', ['gts', 'glimmer-ts']],
  [graphql, 'graphql', ['gql', 'graphql']],
  [handlebars, 'handlebars', ['handlebars', 'hbs']],
  [html, 'html', ['htm', 'html']],
  [javascript, 'javascript', ['cjs', 'javascript', 'js', 'mjs']],
  [json, 'json', ['json', 'webmanifest']],
  [jsonc, 'jsonc', ['json5', 'jsonc']],
  [jsx, 'jsx', ['jsx']],
  [markdown, 'markdown', ['markdown', 'md', 'mdx']],
  [marko, 'marko', ['marko']],
  [mermaid, 'mermaid', ['mermaid']],
  [nginx, 'nginx', ['nginx']],
  [prisma, 'prisma', ['prisma']],
  [python, 'python', ['py', 'python']],
  [scss, 'scss', ['scss']],
  [shellscript, 'shellscript', ['bash', 'sh', 'shell', 'shellscript', 'zsh']],
  [sql, 'sql', ['sql']],
  [svelte, 'svelte', ['svelte']],
  [toml, 'toml', ['toml']],
  // Octane's components are JSX with statements, which the grammar accepts.
  [tsx, 'tsx', ['tsrx', 'tsx']],
  [typescript, 'typescript', ['cts', 'mts', 'ts', 'typescript']],
  [vue, 'vue', ['vue']],
  [xml, 'xml', ['svg', 'xml']],
  [yaml, 'yaml', ['yaml', 'yml']],
]

export const GRAMMARS: readonly LanguageRegistration[][] = LANGUAGES.map(([grammar]) => grammar)

/** Known languages that are not highlighted, with the reason. Unknown languages are plain too. */
export const PLAIN: Readonly<Record<string, string>> = {
  plaintext: 'is declared as text without a language',
  text: 'is text without a language, or a code block without a language',
  txt: 'is declared as text without a language',
}

const BY_WORD = new Map(LANGUAGES.flatMap(([, name, words]) => words.map((word) => [word, name] as const)))

/** The grammar of a language name, or undefined for plain text. */
export function grammarOf(word: string): string | undefined {
  return BY_WORD.get(word)
}

/** Every language name that is highlighted. */
export const HIGHLIGHTED: readonly string[] = [...BY_WORD.keys()]
