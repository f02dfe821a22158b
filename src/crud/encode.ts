import { sql } from 'kysely'
import type { IOptions } from 'sanitize-html'
import { type Entity, type Field, maskSealed } from '#engine'
import { hashPassword } from '../platform/vault/password.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { type Fragment, ident } from './fragment.ts'
import type { Values } from './input.ts'
import { openSealed, sealedFields } from './reader.ts'

/** What formatted text may hold: what an editor makes, and nothing that runs or reaches out. */
const allowed: IOptions = {
  allowedTags: [
    'p',
    'br',
    'div',
    'span',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'sub',
    'sup',
    'blockquote',
    'pre',
    'code',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ol',
    'ul',
    'li',
    'a',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'colgroup',
    'col',
  ],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    '*': ['style', 'class'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    li: ['data-list'],
  },
  allowedClasses: { '*': ['ql-*'] },
  allowedStyles: {
    '*': {
      'text-align': [/^(left|right|center|justify)$/],
      color: [/^#[0-9a-f]{3,8}$/i, /^rgb\([\d\s,]+\)$/],
      'background-color': [/^#[0-9a-f]{3,8}$/i, /^rgb\([\d\s,]+\)$/],
      'font-size': [/^\d{1,3}(px|pt|em|%)$/],
    },
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer' } }) },
}

/** Formatted text with everything taken out that could run in a reader's browser. The library is loaded when the first text comes. */
async function cleanHtml(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, allowed)
}

/** A column and the value written into it. */
export interface Cell {
  readonly column: string
  readonly value: unknown
  /** The value is JSON text. */
  readonly isJson?: true
}

interface Around {
  vault: Vault
  tenantId: string
}

const plain = (name: string, value: unknown): Cell[] => [{ column: name, value: value ?? null }]
const list = (value: unknown) => [...new Set(String(value).split(',').filter(Boolean))].join(',') || null

async function cellsOf(name: string, field: Field, value: unknown, { vault, tenantId }: Around): Promise<Cell[]> {
  if (field.kind === 'sealed') {
    const text = value === null || value === undefined ? null : String(value)
    return [
      ...plain(name, text && vault.seal(text)),
      ...plain(`${name}Hash`, text && vault.hash(tenantId, text)),
      ...plain(`${name}Mask`, text && maskSealed(text)),
    ]
  }
  if (value === null || value === undefined) return plain(name, null)
  if (field.kind === 'json') return [{ column: name, value: JSON.stringify(value), isJson: true }]
  if (field.kind === 'richText') return plain(name, await cleanHtml(String(value)))
  if (field.kind === 'dicts' || field.kind === 'refs') return plain(name, list(value))
  if (field.kind !== 'secret') return plain(name, value)
  // A secret that no hook has hashed or sealed before is hashed here: none is ever stored in plain.
  return plain(name, isKept(vault, String(value)) ? value : await hashPassword(String(value)))
}

/** Whether a secret is stored as it is: a hash, or a text that this vault has sealed because it is needed again. */
function isKept(vault: Vault, secret: string): boolean {
  if (secret.startsWith('$argon2')) return true
  try {
    return vault.open(secret) !== ''
  } catch {
    return false
  }
}

/** The columns that hold some values: sealed ones encrypted with their hash, secrets hashed, formatted text cleaned. */
export async function encode(entity: Entity, values: Values, around: Around): Promise<Cell[]> {
  const known = Object.entries(values).filter(([name, value]) => entity.properties[name] && value !== undefined)
  const cells = await Promise.all(
    known.map(([name, value]) => cellsOf(name, entity.properties[name] as Field, value, around)),
  )
  return cells.flat()
}

/** `"a" = …, "b" = …` of some cells. */
export const settings = (cells: readonly Cell[]): Fragment[] =>
  cells.map(({ column, value, isJson }) =>
    isJson ? sql`${sql.raw(ident(column))} = ${value}::jsonb` : sql`${sql.raw(ident(column))} = ${value}`,
  )

/**
 * A body without the sealed values that came back just as they were shown: masked. They were not touched.
 * @param before the row as it is stored
 */
export function withoutMasks(entity: Entity, body: Values, before: Values, vault: Vault): Values {
  const untouched = sealedFields(entity).filter(name => {
    const stored = before[name]
    return typeof stored === 'string' && body[name] === maskSealed(openSealed(vault, stored))
  })
  return Object.fromEntries(Object.entries(body).filter(([name]) => !untouched.includes(name)))
}
