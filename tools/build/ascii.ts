import type { Plugin } from 'vite'

const beyondAscii = /[^\0-\x7f]/g

/**
 * Writes what is beyond ASCII in built programs as escapes: V8 keeps the source of a program as long as it runs, and one Chinese letter
 * anywhere in a file makes each of its letters take two bytes. Lines stay where they are; positions in a line move.
 */
export const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replace(beyondAscii, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}
