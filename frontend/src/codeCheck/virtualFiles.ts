// Files in memory, and the compiler's view of them.

import ts from 'typescript-6'

export const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noImplicitAny: false,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  jsx: ts.JsxEmit.Preserve,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
  noEmit: true,
  allowJs: false,
  experimentalDecorators: true,
  resolveJsonModule: true,
  noErrorTruncation: false,
}

/** The runtime of JSX by framework. Frameworks without one check JSX as React does. */
const JSX_RUNTIME: Record<string, string> = { react: 'react', solid: 'solid-js', preact: 'preact', vue: 'vue' }

export function optionsFor(framework: string | null): ts.CompilerOptions {
  const source = JSX_RUNTIME[framework ?? 'react']
  if (!source) return OPTIONS
  return source === 'solid-js'
    ? { ...OPTIONS, jsxImportSource: source }
    : { ...OPTIONS, jsx: ts.JsxEmit.ReactJSX, jsxImportSource: source }
}

/** Files by their absolute paths. Parsed declarations are kept from one program to the next. */
export class VirtualFiles {
  readonly #texts = new Map<string, string>()
  readonly #folders = new Map<string, Set<string>>()
  readonly #parsed = new Map<string, ts.SourceFile>()

  add(path: string, text: string): void {
    this.#texts.set(path, text)
    this.#parsed.delete(path)
    let name = path
    for (;;) {
      const slash = name.lastIndexOf('/')
      if (slash < 0) return
      const folder = name.slice(0, slash) || '/'
      const known = this.#folders.get(folder)
      if (known) {
        known.add(name.slice(slash + 1))
        return
      }
      this.#folders.set(folder, new Set([name.slice(slash + 1)]))
      if (folder === '/') return
      name = folder
    }
  }

  /** Forgets all files but those below a folder. */
  clear(except: string): void {
    for (const files of [this.#texts, this.#parsed]) {
      for (const path of files.keys()) if (!path.startsWith(except)) files.delete(path)
    }
    for (const [folder, names] of this.#folders) {
      if (folder === '/') for (const name of names) if (!except.startsWith(`/${name}/`)) names.delete(name)
      if (folder !== '/' && !`${folder}/`.startsWith(except)) this.#folders.delete(folder)
    }
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  read(path: string): string | undefined {
    return this.#texts.get(path)
  }

  /** A host that reads `own` before these files. */
  host(options: ts.CompilerOptions, own: ReadonlyMap<string, string>): ts.CompilerHost {
    const read = (path: string) => own.get(path) ?? this.#texts.get(path)
    const ownFolders = new Set([...own.keys()].map((path) => path.slice(0, path.lastIndexOf('/'))))
    return {
      getSourceFile: (path) => {
        const text = own.get(path)
        if (text !== undefined) return parse(path, text)
        const known = this.#parsed.get(path)
        if (known) return known
        const stored = this.#texts.get(path)
        if (stored === undefined) return undefined
        const parsed = parse(path, stored)
        this.#parsed.set(path, parsed)
        return parsed
      },
      getDefaultLibFileName: () => '/lib/lib.esnext.d.ts',
      getDefaultLibLocation: () => '/lib',
      writeFile: () => undefined,
      getCurrentDirectory: () => '/',
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      fileExists: (path) => read(path) !== undefined,
      readFile: read,
      // Both must answer for `node_modules`: otherwise packages with a scope are not found.
      directoryExists: (path) => this.#folders.has(path) || ownFolders.has(path),
      getDirectories: (path) => [...(this.#folders.get(path) ?? [])].filter((name) => this.#folders.has(`${path}/${name}`)),
      realpath: (path) => path,
    }

    function parse(path: string, text: string): ts.SourceFile {
      return ts.createSourceFile(path, text, {
        languageVersion: options.target ?? ts.ScriptTarget.ESNext,
        jsDocParsingMode: path.startsWith('/lib/') ? ts.JSDocParsingMode.ParseNone : ts.JSDocParsingMode.ParseAll,
      })
    }
  }
}
