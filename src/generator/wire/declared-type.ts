import { Node, type SourceFile, type TypeNode } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'

/**
 * Throws `PlaceNotFound` if this file declares the type without the property: the added code would not
 * compile. Accepts imported and computed types, whose members are unknown here.
 */
export function assertHasMember(type: TypeNode | undefined, property: string): void {
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
