import type { I18nProvider } from '@refinedev/core'
import { type Language, language, setLanguage, t } from '../../platform/i18n/i18n.ts'

/** Refine's own keys in our words. */
const WORDS: Record<string, string> = {
  'notifications.success': '操作成功!',
  'notifications.createSuccess': '新增成功',
  'notifications.editSuccess': '更新成功',
  'notifications.deleteSuccess': '删除成功',
  'notifications.createError': '操作失败',
  'notifications.editError': '操作失败',
  'notifications.deleteError': '操作失败',
  'notifications.error': '操作失败',
  'notifications.importProgress': '正在导入',
  'buttons.create': '新增',
  'buttons.save': '保存',
  'buttons.edit': '编辑',
  'buttons.delete': '删除',
  'buttons.show': '查看',
  'buttons.cancel': '取消',
  'buttons.confirm': '确定将选择数据删除?',
  'buttons.refresh': '刷新',
  'buttons.export': '导出',
  'buttons.import': '导入',
  'buttons.list': '列表',
  'buttons.logout': '退出登录',
  warnWhenUnsavedChanges: '有尚未保存的修改，确定离开?',
}

/** Refine asks here; other keys are Chinese texts and mean themselves. */
export const i18nProvider: I18nProvider = {
  translate: (key, options, fallback) => {
    const vars = typeof options === 'object' ? (options as Record<string, unknown>) : undefined
    return t(WORDS[key] ?? (typeof options === 'string' ? options : (fallback ?? key)), vars)
  },
  changeLocale: locale => setLanguage(locale as Language),
  getLocale: language,
}
