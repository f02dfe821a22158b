import type { Owner, Resource } from '#engine'
import { UserType } from '#schemas/dictionaries'
import type { Person } from '../platform/http/server/access.ts'

/** Whoever reads rows as their owner. */
export const isOwner = ({ userType }: Pick<Person, 'userType'>): boolean => userType === UserType.candidate

/** What limits a person to the fields that an owner reads; null for whoever reads rows whole. */
const ownerOf = (person: Pick<Person, 'userType'>, { owner }: Resource): Owner | null =>
  isOwner(person) ? (owner ?? { field: '', where: {}, fields: [] }) : null

/** Names that everybody who meets a row reads of it. */
const common = ['id', 'createTime', 'updateTime']

/**
 * Whether a field is for the person who asks: lists, details, totals, choices and files show no other, and none is filtered or
 * sorted by another.
 */
export const mayRead = (person: Pick<Person, 'userType'>, resource: Resource, name: string): boolean => {
  const owner = ownerOf(person, resource)
  return !owner || owner.fields.includes(name) || common.includes(name) || name === resource.entity.key
}
