import { branchOf, endpoint, group, id, integer, list, maybe, optional, text } from '#engine'
import { dict } from '#resources/system/dict'
import { dictBiz } from '#resources/system/dict-biz'
import { nodeShape } from '../../screens/contract.ts'

/** All system dictionaries as a picker. */
export const dictionaryTree = endpoint('settings.dictionaryTree', 'GET /blade-system/dict/tree', {
  title: '系统字典：树',
  access: ['dict'],
  answer: list(nodeShape),
})

/** All dictionaries of a tenant as a picker. */
export const tenantDictionaryTree = endpoint('settings.tenantDictionaryTree', 'GET /blade-system/dict-biz/tree', {
  title: '业务字典：树',
  access: ['dict_biz'],
  answer: list(nodeShape),
})

/** System dictionaries with their words below them. */
export const dictionaryList = endpoint('settings.dictionaryList', 'GET /blade-system/dict/list', {
  title: '系统字典：列表',
  access: ['dict'],
  values: { code: optional(text('字典编号')), dictValue: optional(text('字典名称')) },
  answer: list(branchOf(dict)),
})

/** Dictionaries of a tenant with their words below them. */
export const tenantDictionaryList = endpoint('settings.tenantDictionaryList', 'GET /blade-system/dict-biz/list', {
  title: '业务字典：列表',
  access: ['dict_biz'],
  values: { code: optional(text('字典编号')), dictValue: optional(text('字典名称')) },
  answer: list(branchOf(dictBiz)),
})

const saved = { paramName: text('参数名称'), paramKey: text('参数键'), paramValue: text('参数值') }

/** Adds a parameter, by the name that older clients have for it. */
export const saveParam = endpoint('settings.saveParam', 'POST /blade-system/param/save', {
  title: '参数：新增',
  access: ['param_add'],
  values: saved,
})

/** Changes a parameter, by the name that older clients have for it. */
export const updateParam = endpoint('settings.updateParam', 'POST /blade-system/param/update', {
  title: '参数：修改',
  access: ['param_edit'],
  values: { id: id('编号'), ...saved },
})

/** Places by their codes, by a part of their name, or those below one. */
export const regionChoices = endpoint('settings.regionChoices', 'GET /blade-system/region/select', {
  title: '行政区划：选项',
  access: 'public',
  values: { code: optional(text('上级代码')), keyword: optional(text('关键词')), ids: optional(text('代码')) },
  answer: list(
    group({
      id: text('编号'),
      label: text('名称'),
      code: text('代码'),
      parentCode: maybe(text('上级代码')),
      name: text('名称'),
      regionLevel: integer('级别'),
    }),
  ),
})
