using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using Microsoft.SqlServer.TransactSql.ScriptDom;

/// Parses T-SQL like SQL Server 2019. Reads statements from standard input, each followed by a NUL character.
/// Prints a line for each error: the number of the statement, from 0, a tab and the reason. The last line is the
/// number of statements.
static class Parse
{
    static void Main()
    {
        var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd();
        var statements = input.Split('\0');
        for (var at = 0; at < statements.Length - 1; at++)
            foreach (var reason in Refusals(statements[at]))
                Console.WriteLine("{0}\t{1}", at, reason);
        Console.WriteLine(statements.Length - 1);
    }

    static IEnumerable<string> Refusals(string statement)
    {
        IList<ParseError> errors;
        var tree = new TSql150Parser(true).Parse(new StringReader(statement), out errors);
        foreach (var error in errors)
            yield return string.Format("{0} ({1}:{2})", error.Message, error.Line, error.Column);
        if (errors.Count > 0) yield break;
        var types = new OwnTypes();
        tree.Accept(types);
        foreach (var name in types.Names) yield return "SQL Server has no type " + name + ".";
    }

    /// Collects the names of types that SQL Server does not define. The parser takes them for user-defined types, which
/// no emitted app creates.
    class OwnTypes : TSqlFragmentVisitor
    {
        public readonly List<string> Names = new List<string>();

        public override void Visit(UserDataTypeReference type)
        {
            Names.Add(type.Name.BaseIdentifier.Value);
        }
    }
}
