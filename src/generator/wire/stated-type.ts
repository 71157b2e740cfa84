import { Node, type SourceFile, type TypeNode } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'

/**
 * Throws `PlaceNotFound` where the type is written out in this file and lacks the property: what is
 * added would not compile. Types from elsewhere, and computed ones, are taken to have it.
 */
export function assertHas(type: TypeNode | undefined, property: string): void {
  if (type === undefined || mayHave(type, property)) return
  throw new PlaceNotFound(`${property} in the type ${type.getText().replace(/\s+/g, ' ')}`)
}

function mayHave(type: TypeNode, property: string): boolean {
  if (Node.isTypeLiteral(type)) return hasMember(type, property)
  if (!Node.isTypeReference(type)) return true
  const name = type.getTypeName().getText()
  const [argument] = type.getTypeArguments()
  if ((name === 'Promise' || name === 'Readonly') && argument) return mayHave(argument, property)
  return declaredMayHave(type.getSourceFile(), name, property)
}

function declaredMayHave(source: SourceFile, name: string, property: string): boolean {
  const alias = source.getTypeAlias(name)?.getTypeNode()
  if (alias !== undefined) return mayHave(alias, property)
  const declared = source.getInterfaces().filter((each) => each.getName() === name)
  return (
    declared.length === 0 ||
    declared.some((each) => each.getExtends().length > 0 || hasMember(each, property))
  )
}

function hasMember(type: Node, property: string): boolean {
  if (!Node.isTypeElementMembered(type)) return true
  return type.getMembers().some((member) => {
    if (Node.isPropertySignature(member) || Node.isMethodSignature(member)) {
      return member.getName().replace(/^['"]|['"]$/g, '') === property
    }
    return Node.isIndexSignatureDeclaration(member)
  })
}
